import '@portal/ui/ui.css'
import './shell.css'
import { createClient } from '@portal/client/client'
import { asProblem } from '@portal/client/problem'
import { session } from '@portal/contracts/session'
import { liveLanguage } from './public/live-language.ts'

const client = createClient({ base: '/api', locale: () => document.documentElement.lang })

/** Where to go afterwards: the page that was asked for, if it is one of ours. */
function destination(): string {
  const next = new URLSearchParams(location.search).get('next') ?? ''
  return /^\/(?![/\\])/.test(next) && !next.startsWith('/login') ? next : '/home'
}

function showError(field: string, message: string | undefined) {
  const input = document.getElementById(field)
  const place = document.getElementById(`${field}-error`)
  const words = place?.querySelector('span')
  if (!input || !place || !words) return
  words.textContent = message ?? ''
  place.hidden = !message
  input.setAttribute('aria-invalid', String(Boolean(message)))
  place.closest('.field')?.classList.toggle('has-error', Boolean(message))
}

function showFailure(message: string | null) {
  const place = document.getElementById('failure')
  const words = place?.querySelector('div')
  if (!place || !words) return
  words.textContent = message
  place.hidden = !message
}

async function signIn(form: HTMLFormElement) {
  const values = Object.fromEntries(new FormData(form)) as { email: string; password: string }
  const missing = (['email', 'password'] as const).filter((field) => !values[field].trim())
  for (const field of ['email', 'password'] as const) {
    showError(field, missing.includes(field) ? form.dataset.missing : undefined)
  }
  showFailure(null)
  if (missing[0]) return document.getElementById(missing[0])?.focus()
  form.setAttribute('aria-busy', 'true')
  try {
    await client.call(session.signIn, { body: values })
    location.assign(destination())
  } catch (thrown) {
    form.removeAttribute('aria-busy')
    const problem = asProblem(thrown)
    for (const [field, [message]] of Object.entries(problem.errors)) showError(field, message)
    showFailure(problem.message || form.dataset.offline || '')
    document.getElementById('password')?.focus()
  }
}

document.addEventListener('submit', (event) => {
  event.preventDefault()
  const form = event.target as HTMLFormElement
  if (form.getAttribute('aria-busy') !== 'true') void signIn(form)
})

document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest('#show')
  const input = document.getElementById('password')
  if (!button || !(input instanceof HTMLInputElement)) return
  const shown = input.type === 'text'
  input.type = shown ? 'password' : 'text'
  button.setAttribute('aria-pressed', String(!shown))
})

liveLanguage(() => showFailure(null))

// Makes the anti-forgery token, and spares whoever is signed in already the form.
void client.call(session.read).then(
  ({ user }) => user && location.replace(destination()),
  () => {},
)
