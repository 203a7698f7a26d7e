// Syzygy tables in Chromium: files opened in the page. It needs `npm run build`.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { open, skip, testdata } from "./browser.mjs";

const folder = testdata("syzygy");
const files = readdirSync(folder).filter((name) => /\.rtb[wz]$/.test(name)).map((name) => `${folder}/${name}`);

test("tables tell results, and a damaged file is an error in words", { skip }, async (context) => {
  const { page, problems, setUp, type } = await open(context);
  await setUp("8/8/8/8/8/2k5/7Q/K7 w - - 0 1");
  await page.locator(".lines .chip").first().waitFor();
  const box = page.locator("details", { hasText: "Endgame tables" });
  await box.locator("summary").click();
  const field = page.getByLabel("Open tables");
  // What is no table changes nothing.
  const damaged = readFileSync(`${folder}/KQvK.rtbw`);
  damaged[0] ^= 1;
  await field.setInputFiles({ name: "KQvK.rtbw", mimeType: "application/octet-stream", buffer: damaged });
  await page.locator(".notice.error", { hasText: /The tables cannot be read: .*KQvK\.rtbw/ }).waitFor();
  await field.setInputFiles({ name: "KQvK.rtbw", mimeType: "application/octet-stream", buffer: Buffer.alloc(0) });
  await page.locator(".notice.error", { hasText: /KQvK\.rtbw.*invalid file/ }).waitFor();
  // While the engine searches, tables are read at once.
  await field.setInputFiles(files);
  await page.getByText(`${files.length} tables of up to 4 pieces.`).waitFor({ timeout: 5000 });
  await page.getByText("Endgame tables: wins").waitFor();
  await setUp("8/8/8/8/3k4/8/8/K1Q5 w - - 0 1");
  await page.getByText("Endgame tables: wins").waitFor();
  const first = box.locator("tbody tr").first();
  assert.match(await first.innerText(), /^\S+\s+wins\s+\d+$/);
  await first.getByRole("button").click();
  await page.getByText("Endgame tables: loses").waitFor();
  // Four pieces; a typed move goes to another table.
  await setUp("8/8/4k3/8/8/4p3/4P3/4K3 w - - 0 1");
  await page.getByText(/Endgame tables: (draws|wins|loses)/).waitFor();
  await type("Kd1");
  await page.getByText(/Endgame tables: (draws|wins|loses)/).waitFor();
  // A later file that is damaged leaves the tables that were there.
  await field.setInputFiles({ name: "KQvK.rtbw", mimeType: "application/octet-stream", buffer: damaged });
  await page.locator(".notice.error").last().waitFor();
  await setUp("8/8/8/8/3k4/8/8/K1R5 w - - 0 1");
  await page.getByText("Endgame tables: wins").waitFor();
  assert.deepEqual(problems, []);
});
