import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { Note } from './notes.ts'

test('a note needs a title and a text', () => {
  assert.equal(v.is(Note, { title: 'First', text: 'Hello' }), true)
  assert.equal(v.is(Note, { title: ' ', text: 'Hello' }), false)
})
