import { useLingui } from '@lingui/react/macro'
import type { Client, Rest } from '@portal/client/client'
import { asProblem, Problem } from '@portal/client/problem'
import type { AnswerOf, BodyOf, Endpoint } from '@portal/contracts/endpoint'
import { sayOfField } from '@portal/contracts/sentences'
import { currentLocale } from '@portal/i18n/locale'
import { useRef, useState } from 'react'

type Issue = { message: string; path?: readonly (PropertyKey | { key: PropertyKey })[] }
type State = { busy: boolean; share: number | null; problem: Problem | null; errors: Record<string, string> }

const idle: State = { busy: false, share: null, problem: null, errors: {} }

/**
 * A form of this page, bound to a call: validated with the endpoint's schema, sent with the invite, with errors per field.
 * The portal's forms bring a library and a session with them, which nobody here needs.
 */
export function useSending<E extends Endpoint>(client: Client, endpoint: E, invite: string | undefined) {
  const { t } = useLingui()
  const [state, setState] = useState(idle)
  const calling = useRef(false)

  /** The answer, or null where nothing was taken; what was typed is the caller's and stays. */
  async function send(body: BodyOf<E>): Promise<AnswerOf<E> | null> {
    // A second tap may come before React has rendered the first.
    if (!invite || calling.current) return null
    const read = endpoint.body?.['~standard'].validate(body) as { value?: unknown; issues?: readonly Issue[] }
    if (read.issues) {
      setState({ ...idle, problem: new Problem(422), errors: issueErrors(read.issues) })
      return null
    }
    calling.current = true
    setState({ ...idle, busy: true, share: 0 })
    const onUploadProgress = (share: number) => setState((now) => ({ ...now, share }))
    try {
      const args = [{ body: read.value, invite, onUploadProgress }] as unknown as Rest<E>
      const answer = await client.call(endpoint, ...args)
      setState(idle)
      return answer
    } catch (thrown) {
      const problem = asProblem(thrown)
      const first = Object.entries(problem.errors).map(([name, messages]) => [name, messages[0] ?? ''])
      setState({ ...idle, problem, errors: Object.fromEntries(first) })
      return null
    } finally {
      calling.current = false
    }
  }

  /** Clears the errors, because another form is opened. */
  const reset = () => setState(idle)
  /** Removes the error of a field, because its value was changed. */
  const forget = (name: string) =>
    setState((now) => {
      const { [name]: _, ...errors } = now.errors
      return { ...now, errors }
    })

  return { ...state, send, reset, forget, failure: state.problem && failureText(state.problem) }

  function failureText({ kind, status, message }: Problem): string {
    if (kind === 'offline')
      return t`The server could not be reached. What you wrote is kept on this device: check the connection, then send it again.`
    if (kind === 'invalid')
      return t`Error: Your request has validation errors! Please make sure all required fields are filled accordingly and try again.`
    if (status === 500 && message) return t`Server Error: ${message}`
    return message || t`An error occurred. Please try again later.`
  }
}

/** The first message per field. */
function issueErrors(issues: readonly Issue[]): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { message, path = [] } of issues) {
    const part = path[0]
    const name = String(typeof part === 'object' ? part.key : part)
    errors[name] ??= sayOfField(message, currentLocale(), name)
  }
  return errors
}
