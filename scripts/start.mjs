// npm start: everything of the portal, supervised, at one address.
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
  .then((bootstrap) => bootstrap.handOver('lib/start.mjs'))
  .catch((error) => {
    console.error(error.sentence || error)
    process.exit(1)
  })
