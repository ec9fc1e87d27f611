import { showFailure, showField } from './live-form.ts'

type Provider = { name: string; label: string }

/** Makes a button for each identity provider, as a copy of the hidden one on the page. */
export function showProviders(providers: readonly Provider[], next: string | null): void {
  const place = document.getElementById('with')
  const drawn = place?.querySelector('a')
  if (!place || !drawn || providers.length === 0) return
  const query = next ? `?next=${encodeURIComponent(next)}` : ''
  const buttons = providers.map(({ name, label }) => {
    const button = drawn.cloneNode(true) as HTMLAnchorElement
    button.href = `/api/login/with/${name}${query}`
    const words = button.querySelector('.who')
    if (words) words.textContent = label
    return button
  })
  place.replaceChildren(...buttons)
  place.hidden = false
}

/** Says how a sign-in through a provider ended. After `code` the form asks for the one-time code alone. */
export function showOutcome(outcome: string): void {
  const words = document.getElementById(`outcome-${outcome}`)
  if (outcome === 'code') askForCode()
  else if (words) showFailure(words.textContent)
}

function askForCode() {
  for (const name of ['email', 'password']) {
    const input = document.getElementById(name)
    const field = input?.closest<HTMLElement>('.field')
    // The form sends and checks neither of them.
    if (input instanceof HTMLInputElement) input.disabled = true
    if (field) field.hidden = true
  }
  showField('code')
  const code = document.getElementById('code')
  if (code instanceof HTMLInputElement) code.required = true
  code?.focus()
  for (const [id, hidden] of [
    ['forgot', true],
    ['back', false],
  ] as const) {
    const link = document.getElementById(id)
    if (link) link.hidden = hidden
  }
}
