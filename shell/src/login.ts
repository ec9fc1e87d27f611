import { signInWith } from '@portal/contracts/access/sign-in-with'
import { session } from '@portal/contracts/session'
import { fetchedAhead } from './public/fetched-ahead.ts'
import { liveForm, showField } from './public/live-form.ts'
import { showOutcome, showProviders } from './public/sign-in-with.ts'
import { ownPath } from './session/own-path.ts'
import { noteStart } from './session/start.ts'

const query = new URLSearchParams(location.search)
/** How a sign-in through a provider ended, which the server says in the address (`SignInWithOutcome`). */
const outcome = query.get('with')
/** A provider has vouched for the person, and only her code is missing. */
const codeOnly = outcome === 'code'

let codeWanted = false
let submitted = false
let providers: { name: string; label: string }[] = []

/** Shows what is not in the page as it was built, again after the language was changed. */
function show() {
  if (codeWanted) showField('code')
  if (outcome && !submitted) showOutcome(outcome)
  if (!codeOnly) showProviders(providers, query.get('next'))
}

/** Where to go afterwards: the page that was asked for, if it is one of ours, else where the person wants to begin. */
function destination(start?: string | null): string {
  const next = query.get('next') ?? ''
  if (ownPath.test(next) && !next.startsWith('/login') && next !== '/home') return next
  if (start) noteStart(start)
  return start ?? '/home'
}

const client = liveForm({
  retype: 'password',
  above: 'email',
  async send(calls, { email = '', password = '', code = '' }) {
    submitted = true
    const answer = codeOnly
      ? await calls.call(signInWith.code, { body: { code } })
      : await calls.call(session.signIn, { body: { email, password, ...(code && { code }) } })
    const next = destination(answer.start)
    await fetchedAhead()
    location.assign(next)
    return undefined
  },
  onProblem({ errors }) {
    codeWanted ||= 'code' in errors
    show()
  },
  onLanguage: show,
})
show()

// Sets the CSRF token, and skips the form for somebody who is signed in already.
void client.call(session.read).then(
  ({ user, settings }) => {
    if (user && (!outcome || outcome === 'over')) return location.replace(destination())
    providers = settings.sign_in_with ?? []
    show()
  },
  () => {},
)
