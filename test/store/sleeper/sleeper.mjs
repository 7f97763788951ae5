// An emulator that writes until its journal has been folded, and then closes: tells the names whose writes it has
// answered with 201. Run with stop-at-step.cjs.
const [dist, store] = process.argv.slice(2)
const { connect, startEmulator } = await import(dist)
const { readFileSync } = await import('node:fs')

// A seeded world has a key of the package's, so none is made.
const emulator = await startEmulator({ store, fixtures: {}, resume: true, seed: 'sleeper' })
// Over HTTP: calls of `emulator.admin` need no connection. `fetch` takes a tenth of a second to load.
const admin = connect(emulator.url)
const write = (slug, name) =>
  admin.createOrganization({ slug, name }).then(
    () => {
      console.log(slug)
      return true
    },
    () => false,
  )
for (let count = 0; count < 10; count++) await write(`large${count}`, 'x'.repeat(100_000))
globalThis.armed = true
let isOwner = await write('large10', 'x'.repeat(100_000))
// As many writes on a slow machine as on a quick one: each is a step, and the stops are at steps that a run before made.
// An owner that was succeeded folds no more.
for (let count = 0; isOwner && count < 3000 && !readFileSync(store, 'utf8').includes('large10'); count++) {
  if (count < 10) isOwner = await write(`small${count}`, 'x')
  await new Promise((resolve) => setTimeout(resolve, 20))
}
for (let count = 0; count < 3; count++) await write(`last${count}`, 'x')
await emulator.close().catch((error) => console.error(error.message))
