import { name, required } from '@portal/contracts/fields'
import { recordsOf } from '@portal/contracts/records'
import * as v from 'valibot'

/** One note. The form validates with it, and the list reads it. */
export const Note = v.object({ title: name, text: required })

/** The notes, which the portal stores. Name, collection and permissions are those of portal.module.json. */
export const notes = recordsOf('mfe-starter', 'notes', Note, { read: 'starter.view', write: 'starter.write' })
