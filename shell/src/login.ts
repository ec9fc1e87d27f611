import { session } from '@portal/contracts/session'
import { liveForm, showField } from './public/live-form.ts'

let codeWanted = false
const showCode = () => codeWanted && showField('code')

/** Where to go afterwards: the page that was asked for, if it is one of ours. */
function destination(): string {
  const next = new URLSearchParams(location.search).get('next') ?? ''
  return /^\/(?![/\\])/.test(next) && !next.startsWith('/login') ? next : '/home'
}

const client = liveForm({
  retype: 'password',
  above: 'email',
  async send(calls, { email = '', password = '', code }) {
    await calls.call(session.signIn, { body: { email, password, ...(code && { code }) } })
    location.assign(destination())
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
