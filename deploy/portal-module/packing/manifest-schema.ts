import { join } from 'node:path'
import { ModuleManifest } from '@portal/sdk/manifest'
import type * as v from 'valibot'
import { root } from './emit.ts'

export const schemaFile = join(root, 'shared/sdk/portal.module.schema.json')

type Json = Record<string, unknown>
type Known = {
  kind: string
  type: string
  entries?: Record<string, Known>
  item?: Known
  options?: unknown[]
  wrapped?: Known
  value?: unknown
  pipe?: Known[]
  requirement?: unknown
  message?: unknown
}

/** A check of a valibot pipe as JSON Schema. */
function ofAction({ type, requirement, message }: Known): Json {
  if (type === 'regex')
    return { pattern: (requirement as RegExp).source, ...(message ? { description: message } : {}) }
  if (type === 'non_empty') return { minLength: 1 }
  if (type === 'min_length') return { minItems: requirement }
  if (type === 'min_value') return { minimum: requirement }
  if (type === 'max_length') return { maxItems: requirement }
  if (type === 'integer') return { type: 'integer' }
  if (type === 'check') return message ? { description: message } : {}
  throw new Error(`JSON Schema for ${type} is not written down here yet.`)
}

function jsonOf(schema: Known): Json {
  if (schema.pipe) {
    const [first, ...actions] = schema.pipe
    return Object.assign(first ? jsonOf({ ...first }) : {}, ...actions.map(ofAction))
  }
  switch (schema.type) {
    case 'object':
    case 'strict_object': {
      const entries = Object.entries(schema.entries ?? {})
      return {
        type: 'object',
        properties: Object.fromEntries(entries.map(([key, entry]) => [key, jsonOf(entry)])),
        required: entries.filter(([, entry]) => entry.type !== 'optional').map(([key]) => key),
        ...(schema.type === 'strict_object' && { additionalProperties: false }),
      }
    }
    case 'array':
      return { type: 'array', items: jsonOf(schema.item as Known) }
    case 'union':
      return { anyOf: (schema.options as Known[]).map(jsonOf) }
    case 'record':
      return { type: 'object', additionalProperties: jsonOf(schema.value as Known) }
    case 'unknown':
      return {}
    case 'picklist':
      return { enum: schema.options }
    case 'optional':
      return jsonOf(schema.wrapped as Known)
    case 'string':
    case 'number':
    case 'boolean':
      return { type: schema.type }
    default:
      throw new Error(`JSON Schema for ${schema.type} is not written down here yet.`)
  }
}

/** JSON Schema of `portal.module.json` for editors, made from the valibot schema that validates it. */
export const manifestSchema = (schema: v.GenericSchema = ModuleManifest): string =>
  `${JSON.stringify(
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'portal.module.json',
      description: 'What a module of the portal says of itself.',
      ...jsonOf(schema as unknown as Known),
    },
    null,
    2,
  )}\n`
