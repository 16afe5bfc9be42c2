/** The main job by the TypeScript client: from signing in to the printed campaign. */

import { writeFile } from "node:fs/promises";
import {
  type components,
  finished,
  type Muster,
  MusterError,
  muster,
  print,
  signIn,
  unwrap,
} from "./index.js";

const [site, password, file] = process.argv.slice(2) as [string, string, string];
type Schemas = components["schemas"];

async function asUser(username: string): Promise<Muster> {
  return muster(site, await signIn(site, { username, password, scope: "organise" }));
}

const alice = await asUser("alice");
const bob = await asUser("bob");

const reader = muster(site, await signIn(site, { username: "bob", password, scope: "read" }));
try {
  await unwrap(reader.POST("/api/v1/clubs/", { body: { name: "Not mine" } }));
} catch (error) {
  if (error instanceof MusterError) console.log(error.problem.code);
}

const club = await unwrap(alice.POST("/api/v1/clubs/", { body: { name: "The Friday Swords" } }));
const invitation = await unwrap(
  alice.POST("/api/v1/clubs/{club_id}/invitations/", {
    params: { path: { club_id: club.id } },
    body: {},
  }),
);
const secret = invitation.link.split("=").at(-1) ?? "";
await unwrap(bob.POST("/api/v1/invitations/accept/", { body: { secret } }));

async function muster5(user: Muster, faction: string, name: string, profile: string) {
  const warband = await unwrap(
    user.POST("/api/v1/warbands/", { body: { ruleset: "en-garde", faction, name } }),
  );
  await unwrap(
    user.POST("/api/v1/warbands/{warband_id}/fighters/", {
      params: { path: { warband_id: warband.id } },
      body: { fighters: [{ build: { profile }, count: 5 }] },
    }),
  );
  return warband.id;
}
const lands = await muster5(alice, "landsknechts", "The Black Band", "landsknecht");
const guard = await muster5(bob, "cardinals-guard", "The Red Cloaks", "guard");

const campaign = await unwrap(
  alice.POST("/api/v1/campaigns/", {
    body: {
      club: club.id,
      name: "The Long Winter",
      ruleset: "en-garde",
      points: 300,
      house_rules: { legality: "warn" },
    },
  }),
);
for (const [user, warband] of [[alice, lands], [bob, guard]] as const) {
  await unwrap(
    user.POST("/api/v1/campaigns/{campaign_id}/enrolments/", {
      params: { path: { campaign_id: campaign.id } },
      body: { warband },
    }),
  );
}
const ofCampaign = { params: { path: { id: campaign.id } } };
await unwrap(alice.POST("/api/v1/campaigns/{id}/start/", { ...ofCampaign, body: {} }));

const battle = await unwrap(
  alice.POST("/api/v1/battles/", {
    body: {
      client_id: crypto.randomUUID(),
      campaign: campaign.id,
      scenario: "skirmish",
      fought_on: "2026-03-07",
      sides: [
        { warband: lands, role: "warband" },
        { warband: guard, role: "warband" },
      ],
    },
  }),
);
const figures: string[][] = [];
for (const [user, side, warband] of [[alice, "a", lands], [bob, "b", guard]] as const) {
  const page = await unwrap(
    user.GET("/api/v1/warbands/{warband_id}/fighters/", {
      params: { path: { warband_id: warband }, query: { page_size: 50 } },
    }),
  );
  const fighters = page.results.map((fighter) => fighter.id);
  figures.push(fighters);
  await unwrap(
    user.PUT("/api/v1/battles/{battle_id}/sides/{side}/combatants/", {
      params: { path: { battle_id: battle.id, side } },
      body: { fighters, posts: { leader: fighters[0] ?? "" } },
    }),
  );
}
const ofBattle = { params: { path: { id: battle.id } } };
await unwrap(alice.POST("/api/v1/battles/{id}/start/", { ...ofBattle, body: {} }));
const wound: Schemas["NewEventRequest"] = {
  client_id: crypto.randomUUID(),
  kind: "wound",
  turn: 3,
  data: { attacker: figures[0]?.[0], victim: figures[1]?.[0], result: "critical" },
};
await unwrap(
  alice.POST("/api/v1/battles/{battle_id}/events/", {
    params: { path: { battle_id: battle.id } },
    body: { events: [wound] },
  }),
);
await unwrap(alice.POST("/api/v1/battles/{id}/submit/", { ...ofBattle, body: {} }));
await unwrap(bob.POST("/api/v1/battles/{id}/confirm/", { ...ofBattle, body: {} }));
const standings = await unwrap(
  bob.GET("/api/v1/campaigns/{campaign_id}/standings/", {
    params: { path: { campaign_id: campaign.id } },
  }),
);
console.log(standings.rows.map((row) => row.name).join(", "));

const body = { kind: "campaign", subject: campaign.id } as const;
const queued = await unwrap(bob.POST("/api/v1/documents/", { body }));
console.log(`document ${queued.id}`);
await finished(bob, queued, 0.5, 60);
// The document is ready. Requested again, it is the same.
await writeFile(file, Buffer.from(await print(bob, body, 0.5, 60)));
