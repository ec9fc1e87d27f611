import { Problem } from '@portal/client/problem'
import { activate, loadCatalog } from '@portal/i18n/locale'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type ProblemForm, problemText } from './problemText.tsx'

beforeAll(() => {
  loadCatalog('en', {})
  activate('en')
})

afterEach(() => vi.restoreAllMocks())

const answer = { message: 'the server’s words' }
const requestInvalid =
  'Error: Your request has validation errors! Please make sure all required fields are filled accordingly and try again.'
const rows: [number, object | null, ProblemForm, string][] = [
  [422, answer, 'default', 'Error: Form has validation errors!'],
  [422, answer, 'request', requestInvalid],
  [422, answer, 'approval', 'Error: Validation errors! Please fill required fields and try again.'],
  [403, answer, 'request', 'Access Denied: the server’s words'],
  [500, answer, 'request', 'Server Error: the server’s words'],
  [500, answer, 'export', 'Server Error: the server’s words'],
  [0, null, 'request', 'An unexpected error occurred. Please try again later.'],
  [0, null, 'export', 'An unexpected error occurred. Please try again later.'],
  [401, answer, 'request', 'the server’s words'],
  [404, answer, 'request', 'the server’s words'],
  [409, answer, 'approval', 'the server’s words'],
  [413, answer, 'default', 'the server’s words'],
  [415, answer, 'default', 'the server’s words'],
  [419, answer, 'default', 'the server’s words'],
  [429, answer, 'default', 'the server’s words'],
  [502, null, 'default', 'An error occurred. Please try again later.'],
  [500, null, 'default', 'An error occurred. Please try again later.'],
  [409, answer, 'export', 'Error exporting file: the server’s words'],
  [422, answer, 'user', requestInvalid],
  [422, answer, 'case', requestInvalid],
  [0, null, 'user', 'An unexpected error occurred. Please try again later.'],
  [502, null, 'user', 'An unexpected error occurred. Please try again later.'],
  [409, answer, 'user', 'the server’s words'],
  [500, answer, 'user', 'Server Error: the server’s words'],
  [0, null, 'case', 'An unexpected error occurred. Please try again later.'],
  [502, null, 'case', 'An unexpected error occurred: status 502'],
  [413, answer, 'case', 'An unexpected error occurred: the server’s words'],
  [500, answer, 'case', 'Server Error: the server’s words'],
  [403, answer, 'case', 'Access Denied: the server’s words'],
  [403, answer, 'export', 'Error exporting file: the server’s words'],
]

test.each(rows)('an answer %i with %o to the form "%s" reads: %s', (status, answer, form, sentence) => {
  expect(problemText(new Problem(status, answer), form)).toBe(sentence)
})

test('a person whose browser knows that there is no connection reads so', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const problem = new Problem(0)
  vi.restoreAllMocks()
  // The connection may be back by the time the sentence is drawn again.
  expect(problemText(problem)).toBe('There is no connection. Try again when it is back.')
})
