import { SMTPServer } from 'smtp-server'

/**
 * A mail server in a process, at the address that is its first word, or 127.0.0.1. It prints its port, then each accepted
 * mail as a line of JSON. It defers the first mail to `busy@…`, like a real server that is busy, and every mail to `full@…`. It does
 * not know `gone@…`, and `moved@…` at first, and does not relay to `relay@…`.
 */
let putOff = false
let moved = true
const refusals: Record<string, [number, string]> = {
  'full@': [452, '4.2.2 The mailbox is full'],
  'gone@': [550, '5.1.1 No such user'],
  'relay@': [554, '5.7.1 Relay access denied'],
}
const server = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth({ username, password }, _session, done) {
    if (username === 'portal' && password === 'secret') done(null, { user: username })
    else done(new Error('Wrong password'))
  },
  onRcptTo({ address }, _session, done) {
    const [responseCode, reason] = refusals[address.replace(/@.*/, '@')] ?? []
    if (reason) return done(Object.assign(new Error(reason), { responseCode }))
    if (moved && address.startsWith('moved@')) {
      moved = false
      return done(Object.assign(new Error('5.1.6 The mailbox has moved'), { responseCode: 550 }))
    }
    if (putOff || !address.startsWith('busy@')) return done()
    putOff = true
    done(Object.assign(new Error('Try again later'), { responseCode: 451 }))
  },
  onData(stream, session, done) {
    const pieces: Buffer[] = []
    stream.on('data', (piece) => pieces.push(piece))
    stream.on('end', () => {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      process.stdout.write(`${JSON.stringify({ to, text: Buffer.concat(pieces).toString('utf8') })}\n`)
      done()
    })
  },
})
server.listen(0, process.argv[2] ?? '127.0.0.1', () => {
  const address = server.server.address()
  process.stdout.write(`${JSON.stringify({ port: typeof address === 'object' && address?.port })}\n`)
})
process.stdin.on('end', () => process.exit(0)).resume()
