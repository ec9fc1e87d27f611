import * as v from 'valibot'
import { endpoint } from './endpoint.ts'

/** A list that only the manifest of a module names. The server checks permission and query as at every call. */
export const searchedList = (path: string) =>
  endpoint({
    method: 'GET',
    path,
    access: 'session',
    query: v.record(v.string(), v.unknown()),
    answer: v.record(v.string(), v.unknown()),
  })
