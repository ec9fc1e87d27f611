import '@portal/ui/ui.css'
import '../shell.css'
import './public.css'
import { type Client, createClient } from '@portal/client/client'
import { asProblem, type Problem } from '@portal/client/problem'
import { liveLanguage } from './live-language.ts'

type Values = Record<string, string>

type Options = {
  /** Calls the server; a returned sentence is shown in the form's place. */
  send: (client: Client, values: Values) => Promise<string | undefined>
  /** The field that gets the focus after a refusal. */
  retype?: string
  /** The field whose error concerns the whole form. It is shown above the form. */
  above?: string
  /** What else a refusal means. */
  onProblem?: (problem: Problem) => void
  /** The page was drawn again in the other language. */
  onLanguage?: () => void
}

const fieldOf = (name: string) => {
  const input = document.getElementById(name)
  return input instanceof HTMLInputElement ? input : null
}

/** Shows a field that was drawn hidden. */
export function showField(name: string): void {
  const box = fieldOf(name)?.closest<HTMLElement>('.field')
  if (box) box.hidden = false
}

function showError(name: string, message: string | undefined) {
  const input = fieldOf(name)
  const place = document.getElementById(`${name}-error`)
  const words = place?.querySelector('span')
  if (!input || !place || !words) return
  words.textContent = message ?? ''
  place.hidden = !message
  input.setAttribute('aria-invalid', String(Boolean(message)))
  place.closest('.field')?.classList.toggle('has-error', Boolean(message))
}

/** Shows a sentence above the form; null removes it. */
export function showFailure(message: string | null): void {
  const place = document.getElementById('failure')
  const words = place?.querySelector('div')
  if (!place || !words) return
  words.textContent = message
  place.hidden = !message
}

function showDone(message: string) {
  const [form, done, notice] = ['form', '#done', '#notice'].map((each) =>
    document.querySelector<HTMLElement>(each),
  )
  if (!form || !done || !notice) return
  form.hidden = true
  done.hidden = false
  notice.textContent = message
  notice.focus()
}

/** Lets the form be sent, which was drawn so that nothing sends it. */
function enable() {
  for (const button of document.querySelectorAll<HTMLButtonElement>('form [type=submit]'))
    button.disabled = false
}

/** Adds behaviour to the form of a page that was rendered at build time. The client is for other calls of the page. */
export function liveForm({ send, retype, above, onProblem, onLanguage }: Options): Client {
  const client = createClient({ base: '/api', locale: () => document.documentElement.lang })
  let answer: string | undefined

  async function submit(form: HTMLFormElement) {
    const values = Object.fromEntries(new FormData(form)) as Values
    const names = Object.keys(values)
    const missing = names.filter((name) => fieldOf(name)?.required && !values[name]?.trim())
    for (const name of names) showError(name, missing.includes(name) ? form.dataset.missing : undefined)
    showFailure(null)
    if (missing[0]) return fieldOf(missing[0])?.focus()
    form.setAttribute('aria-busy', 'true')
    try {
      answer = await send(client, values)
      if (answer) showDone(answer)
    } catch (thrown) {
      form.removeAttribute('aria-busy')
      const problem = asProblem(thrown)
      onProblem?.(problem)
      const errors = Object.entries(problem.errors).filter(([name]) => name !== above)
      for (const [name, [message]] of errors) showError(name, message)
      const shown = errors.find(([name]) => fieldOf(name))
      // A used link has no field of its own on the page.
      const other = errors.find(([name]) => !fieldOf(name))?.[1][0]
      showFailure(other ?? (shown ? null : problem.message || form.dataset.offline || ''))
      fieldOf(shown?.[0] ?? retype ?? '')?.focus()
    }
  }

  document.addEventListener('submit', (event) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    if (form.getAttribute('aria-busy') !== 'true') void submit(form)
  })

  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest('#show')
    const input = fieldOf('password')
    if (!button || !input) return
    const shown = input.type === 'text'
    input.type = shown ? 'password' : 'text'
    button.setAttribute('aria-pressed', String(!shown))
  })

  liveLanguage(() => {
    enable()
    showFailure(null)
    if (answer) showDone(answer)
    onLanguage?.()
  })
  enable()
  return client
}
