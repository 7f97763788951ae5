/**
 * Runs example apps side by side in one process: reading Node.js and its libraries takes longer than most tests of theirs.
 * Each message is the environment of one more app. The next one may be sent when the app has said where it listens.
 */
process.setMaxListeners(0)
let count = 0
process.on('message', (environment) => {
  process.env = environment
  count += 1
  import(`../journeys/notes-app/server.js?${count}`)
})
process.on('disconnect', () => process.exit())
