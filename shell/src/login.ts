import { session } from '@portal/contracts/session'
import { fetchedAhead } from './public/fetched-ahead.ts'
import { liveForm, showField } from './public/live-form.ts'
import { noteStart } from './session/start.ts'

let codeWanted = false
const showCode = () => codeWanted && showField('code')

/** Where to go afterwards: the page that was asked for, if it is one of ours, else where the person wants to begin. */
function destination(start?: string | null): string {
  const next = new URLSearchParams(location.search).get('next') ?? ''
  if (/^\/(?![/\\])/.test(next) && !next.startsWith('/login') && next !== '/home') return next
  if (start) noteStart(start)
  return start ?? '/home'
}

const client = liveForm({
  retype: 'password',
  above: 'email',
  async send(calls, { email = '', password = '', code }) {
    const answer = await calls.call(session.signIn, { body: { email, password, ...(code && { code }) } })
    const next = destination(answer.start)
    await fetchedAhead()
    location.assign(next)
    return undefined
  },
  onProblem({ errors }) {
    codeWanted ||= 'code' in errors
    showCode()
  },
  onLanguage: showCode,
})

// Sets the CSRF token, and skips the form for somebody who is signed in already.
void client.call(session.read).then(
  ({ user }) => user && location.replace(destination()),
  () => {},
)
