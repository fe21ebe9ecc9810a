// Waiting is for conditions, and every wait ends.
import assert from "node:assert/strict";

const PAUSE_MS = 25;

/** Asks until `condition` gives something true, and returns that. Fails after `limit` milliseconds. */
export async function until(what, condition, limit = 20_000) {
  const end = Date.now() + limit;
  for (;;) {
    const found = await condition();
    if (found) return found;
    assert.ok(Date.now() < end, `waited ${limit} ms in vain for: ${what}`);
    await new Promise((resume) => setTimeout(resume, PAUSE_MS));
  }
}

/** The promise's value, or a failure that names what did not come. */
export async function within(what, promise, limit = 5000) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new assert.AssertionError({ message: `${what} did not come in ${limit} ms` })), limit);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
