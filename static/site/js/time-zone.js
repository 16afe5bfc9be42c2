// The browser's time zone, in the forms that create an account. Without this file the account has the site's zone.
"use strict";

for (const field of document.querySelectorAll("[data-time-zone]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
}
