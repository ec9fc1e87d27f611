import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { permissions } from '@portal/contracts/permissions'
import type { Session } from '@portal/contracts/session'
import { sessionAt } from '../alone/pass-on.ts'
import { isOfOwnPage, type OwnServers } from '../own-servers/serve.ts'
import { cookieOf } from './answers.ts'
import type { Behind } from './pages.ts'
import { startPortal } from './portal.ts'
import type { Served } from './served.ts'

type Options = {
  dir: string
  module: () => Served
  port: number
  /** A real portal that answers the calls. Without one, whoever opens the pages has every permission. */
  behind?: Behind | undefined
  /** Tells a page of each change. */
  listenTo: (reply: ServerResponse) => void
  /** Where a frame, which has no origin, gets the module's files. */
  filesAt: string
  /** The module's own servers on this machine. */
  own: OwnServers | undefined
}

const kindCookie = 'stage_kind'

/** The bar at the bottom of each page: where the module runs, and the way to the other kind. */
const bar = `(() => {
  const kind = /(?:^|;\\s*)${kindCookie}=trusted/.test(document.cookie) ? 'trusted' : 'isolated'
  const words = document.documentElement.lang === 'fr'
    ? { isolated: 'Isolé', trusted: 'De confiance', label: 'Mode du module' }
    : { isolated: 'Isolated', trusted: 'Trusted', label: 'How the module runs' }
  const bar = document.createElement('div')
  Object.assign(bar.style, { position: 'fixed', insetInlineEnd: '16px', bottom: '16px', zIndex: 100, display: 'flex', gap: '4px' })
  const buttonOf = (text, isPrimary, act) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = text
    button.className = isPrimary ? 'button small-button primary' : 'button small-button'
    button.onclick = act
    return button
  }
  const draw = () => {
    const group = document.createElement('div')
    group.setAttribute('role', 'group')
    group.setAttribute('aria-label', words.label)
    Object.assign(group.style, { display: 'flex', gap: '4px' })
    for (const each of ['isolated', 'trusted']) {
      const button = buttonOf(words[each], each === kind, () => {
        document.cookie = '${kindCookie}=' + each + '; path=/; samesite=strict'
        location.reload()
      })
      button.setAttribute('aria-pressed', String(each === kind))
      group.append(button)
    }
    bar.append(group)
    document.body.append(bar)
  }
  document.body ? draw() : addEventListener('DOMContentLoaded', draw)
})()
`

/** The portal's own pages around a module while somebody works on it, isolated or trusted by a switch. */
export async function startDevelopment(options: Options) {
  const { dir, module, port, listenTo, filesAt, behind, own } = options
  const ofModule = module().record.permissions.map(({ name }) => name)
  const user = { id: 1, first_name: 'Awa', last_name: 'Keïta', email: 'awa@portal.example', roles: [] }
  const signedIn: Session = {
    ...{ user, permissions: [...permissions, ...ofModule], locale: 'en' },
    settings: { demo: true, four_eyes: true },
  }
  const integrity = `sha256-${createHash('sha256').update(bar).digest('base64')}`

  /** Who has opened the page: at a portal behind it whoever is signed in there. */
  const caller = async (request: IncomingMessage) => {
    const { user, permissions } = behind ? await sessionAt(request, behind.portal) : signedIn
    return user && { id: user.id, permissions: [...permissions] }
  }

  function answer(request: IncomingMessage, reply: ServerResponse): boolean {
    const { url } = request
    if (own?.has(request)) {
      if (isOfOwnPage(request)) own.answer(request, reply, () => caller(request))
      else reply.writeHead(403).end()
    } else if (url === '/changes') listenTo(reply)
    // The portal's own keeps files of pages; here every page is new.
    else if (url === '/sw.js') reply.writeHead(200, { 'content-type': 'text/javascript' }).end()
    else if (url === '/stage-bar.js') reply.writeHead(200, { 'content-type': 'text/javascript' }).end(bar)
    else return false
    return true
  }

  return startPortal({
    ...{ dir, module, port, signedIn, behind },
    isTrusted: (request) => cookieOf(request, kindCookie) === 'trusted',
    tools: {
      changes: '/changes',
      filesAt,
      head: `<script defer src="/stage-bar.js" integrity="${integrity}" crossorigin="anonymous"></script>`,
      answer,
    },
  })
}
