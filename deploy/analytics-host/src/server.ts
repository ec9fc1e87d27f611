import { createHash } from 'node:crypto'
import type { RequestListener, ServerResponse } from 'node:http'
import { dashboardPage, refusalPage } from './page.ts'
import { styles } from './styles.ts'
import { Refusal, verify } from './verify.ts'

type Options = {
  /** The secret that is shared with the portal's api. */
  secret: string
  /** The only dashboard there is. */
  dashboard: string
  /** Origins of the portal, which may show the dashboard in a frame. */
  ancestors: readonly string[]
}

const styleHash = `'sha256-${createHash('sha256').update(styles).digest('base64')}'`

/** `GET /embed/dashboard/{token}` sends the dashboard for a valid token; `GET /health` says whether the host is up. */
export function serveAnalytics(options: Options): RequestListener {
  return (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host')
    void answer(options, request.method ?? 'GET', pathname).then(({ status, html }) => {
      send(response, options, status, html)
    })
  }
}

async function answer({ secret, dashboard }: Options, method: string, pathname: string) {
  if (method !== 'GET' && method !== 'HEAD') return refused(new Refusal(405, 'Dashboards are only read.'))
  if (pathname === '/health') return { status: 200, html: 'ok' }
  const token = /^\/embed\/dashboard\/([^/]+)$/.exec(pathname)?.[1]
  if (!token) return refused(new Refusal(404, 'There is no such address.'))
  try {
    const { locale } = await verify(token, secret, dashboard)
    return { status: 200, html: dashboardPage(locale) }
  } catch (error) {
    return refused(error instanceof Refusal ? error : new Refusal(500, 'The dashboard could not be drawn.'))
  }
}

const refused = ({ status, message }: Refusal) => ({ status, html: refusalPage(status, message) })

function send(response: ServerResponse, { ancestors }: Options, status: number, html: string) {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src ${styleHash}; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors.join(' ') || "'none'"}`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  response.end(html)
}
