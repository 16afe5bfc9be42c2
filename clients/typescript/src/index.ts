/** Client of Muster's API. Paths, bodies and answers are typed by the schema. */

import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./schema.js";

export type { components, paths };
export type Problem = components["schemas"]["Problem"];
export type Muster = Client<paths>;

/** What the API refused: `problem.code` is stable, `problem.errors` names each field. */
export class MusterError extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(`${status} ${problem.code}: ${problem.detail}`);
    this.name = "MusterError";
  }
}

/**
 * Return a client of the site, such as "https://muster.example.org".
 *
 * Every POST gets an Idempotency-Key unless it has one. After 429 and 503 a request waits as
 * Retry-After says and is sent again, at most `retries` times.
 */
export function muster(site: string, token?: string, retries = 3): Muster {
  return createClient<paths>({
    baseUrl: site.replace(/\/$/, ""),
    headers: token ? { Authorization: `Token ${token}` } : {},
    fetch: (request) => send(request, retries),
  });
}

async function send(request: Request, retries: number): Promise<Response> {
  if (request.method === "POST" && !request.headers.has("Idempotency-Key")) {
    request.headers.set("Idempotency-Key", crypto.randomUUID());
  }
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetch(request.clone());
    const waits = response.status === 429 || response.status === 503;
    if (!waits || attempt >= retries) return response;
    await pause(Number(response.headers.get("Retry-After") ?? "1"));
  }
}

/** Return the data of an answer. Throws MusterError with the problem if it was refused. */
export async function unwrap<T>(
  answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<NonNullable<T>> {
  const { data, error, response } = await answer;
  if (!response.ok) throw new MusterError(response.status, error as Problem);
  return data as NonNullable<T>;
}

/** Return a token for a user name (or e-mail address) and a password. */
export async function signIn(
  site: string,
  credentials: components["schemas"]["SignInRequest"],
): Promise<string> {
  const made = await unwrap(muster(site).POST("/api/v1/tokens/", { body: credentials }));
  return made.token;
}

type Document = components["schemas"]["Document"];

/** Request a document, wait until it is ready, and return its file. Throws as `finished` does. */
export async function print(
  client: Muster,
  body: components["schemas"]["AskRequest"],
  secondsBetween = 1,
  patience = 600,
): Promise<ArrayBuffer> {
  const document = await unwrap(client.POST("/api/v1/documents/", { body }));
  const { id } = await finished(client, document, secondsBetween, patience);
  return unwrap(
    client.GET("/api/v1/documents/{id}/file/", {
      params: { path: { id } },
      parseAs: "arrayBuffer",
    }),
  ) as Promise<ArrayBuffer>;
}

/**
 * Wait until a document is ready and return it.
 *
 * Throws an Error if it failed, or is not ready after `patience` seconds.
 */
export async function finished(
  client: Muster,
  document: Document,
  secondsBetween = 1,
  patience = 600,
): Promise<Document> {
  const path = { id: document.id };
  const end = Date.now() + patience * 1000;
  while (document.state === "queued" || document.state === "rendering") {
    if (Date.now() > end) {
      throw new Error(`Document ${document.id} is still ${document.state} after ${patience} s.`);
    }
    await pause(secondsBetween);
    document = await unwrap(client.GET("/api/v1/documents/{id}/", { params: { path } }));
  }
  if (document.state === "failed") {
    throw new Error(`Document ${document.id} failed: ${document.failure}`);
  }
  return document;
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
