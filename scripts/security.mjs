// npm run security: the tests that hold what OWASP ASVS 5 asks for, counted by its chapters.
// This file has old syntax and no static imports, so that an old Node prints the sentence below instead of a syntax error.
if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(
    'Node ' +
      process.versions.node +
      ' is too old: install Node 20 or later from https://nodejs.org and try again.',
  )
  process.exit(1)
}
import('./lib/bootstrap.mjs')
  .then((bootstrap) => bootstrap.handOver('lib/security.mjs'))
  .catch((error) => {
    console.error(error.sentence || error)
    process.exit(1)
  })
