// npm run shots: pictures of every screen into .shots/ (PORTAL_SHOTS_DIR), over a build and a demo of its own.
// Old syntax and no static imports here, so that an old Node reaches the sentence below instead of a syntax error.
if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(
    'Node ' +
      process.versions.node +
      ' is too old: install Node 20 or later from https://nodejs.org and try again.',
  )
  process.exit(1)
}
import('./lib/bootstrap.mjs')
  .then((bootstrap) => bootstrap.handOver('lib/shots.mjs'))
  .catch((error) => {
    console.error(error.sentence || error)
    process.exit(1)
  })
