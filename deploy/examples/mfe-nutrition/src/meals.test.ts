import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { Meal } from './meals.ts'

test('a meal is for girls', () => {
  const meal = { school: 7, date: '2026-02-03', dish: 'rice', girls: 120 }
  assert.equal(v.is(Meal, meal), true)
  assert.equal(v.is(Meal, { ...meal, girls: 0 }), false)
})
