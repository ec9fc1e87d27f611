import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'

/**
 * A team's own server. It keeps the stock of school kits for the module mfe-health, or knows the kitchens of mfe-nutrition
 * (AUDIENCE=mfe-nutrition/kitchens), and answers nobody but the portal. Each call has a token of the portal that names the person, her permissions of the module, and this very call.
 *
 *     PORTAL_URL=https://portal.example AUDIENCE=mfe-health/stock PORT=8080 node server.mjs
 *
 * BASE is the path of the address in the manifest, /api of https://stock.example.org/api: a token names what comes after it.
 * PORTAL_KEYS is the address of the portal's public keys, if it is another than PORTAL_URL with /api/modules/keys.json.
 */
const {
  PORTAL_URL,
  AUDIENCE,
  PORT,
  BASE = '',
  PORTAL_KEYS = `${PORTAL_URL}/api/modules/keys.json`,
} = process.env
const keys = createRemoteJWKSet(new URL(PORTAL_KEYS))

const items = new Map()
const kitchens = [
  { id: 1, school: 'Coura', stock: 240, at: [13.9, -6.2] },
  { id: 2, school: 'Barouéli', stock: 80, at: [13.1, -6.8] },
]
/** Tokens that were used, until they end by themselves. A server of several processes keeps them in its database. */
const used = new Map()

const answers = {
  'GET /kitchens': () => ({ kitchens }),
  'GET /items': ({ query }) => {
    const school = query.get('school')
    return { items: [...items.values()].filter((item) => !school || item.school === school) }
  },
  'POST /items': ({ body, person }) => {
    if (!Number.isInteger(body.count) || body.count < 0)
      throw new Refused(422, 'The count is wrong.', { count: ['Give a whole number.'] })
    const item = { id: items.size + 1, school: String(body.school), count: body.count, by: person }
    items.set(item.id, item)
    return { item }
  },
}

class Refused extends Error {
  constructor(status, message, faults) {
    super(message)
    this.status = status
    this.faults = faults
  }
}

/** Who calls. Throws 401 unless the portal vouches for this person and for this very call, the first time. */
async function readVoucher({ method, url, headers }, body) {
  const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
  if (!token) throw new Refused(401, 'Only the portal may call this server.')
  const { payload } = await jwtVerify(token, keys, {
    issuer: PORTAL_URL,
    audience: AUDIENCE,
    algorithms: ['ES256'],
    requiredClaims: ['sub', 'jti', 'exp'],
    clockTolerance: 30,
  })
  const { request, permissions, jti, exp, sub } = payload
  const hash = body === '' ? null : createHash('sha256').update(body).digest('base64url')
  if (request.method !== method || `${BASE}${request.path}` !== url || request.body !== hash)
    throw new Refused(401, 'The token is for another call.')
  const now = Date.now() / 1000
  for (const [id, end] of used) if (end + 30 < now) used.delete(id)
  if (used.has(jti)) throw new Refused(401, 'The token was used before.')
  used.set(jti, exp)
  return { person: sub, permissions }
}

const server = createServer(async (request, response) => {
  const send = (status, answer) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer))
  }
  try {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const voucher = await readVoucher(request, body)
    const { pathname, searchParams } = new URL(request.url, 'http://stock')
    const answer = answers[`${request.method} ${pathname.slice(BASE.length)}`]
    if (!answer) throw new Refused(404, 'There is no such page.')
    send(200, answer({ ...voucher, query: searchParams, body: body && JSON.parse(body) }))
  } catch (error) {
    const status = error instanceof errors.JOSEError ? 401 : error.status
    // Of a 401 the person reads only that the server did not answer, so its own log has the reason.
    if (status === 401) console.error(error.message)
    if (status) send(status, { message: error.message, errors: error.faults })
    else {
      console.error(error)
      send(500, { message: 'This did not work.' })
    }
  }
})

server.listen(Number(PORT ?? 8080), '127.0.0.1', () =>
  console.log(`Listening at http://127.0.0.1:${server.address().port}`),
)
