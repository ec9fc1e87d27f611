import { settingTypes } from '@portal/contracts/module-settings'
import { fitsField } from '@portal/contracts/record-fields'
import * as v from 'valibot'
import { boundsFit, boundsRule } from './manifest-bounds.ts'
import { Label } from './manifest-search.ts'

/** A setting of the module that an administrator of the portal changes. Everybody who is signed in can read it: it is no place for secrets. */
export const DeclaredSetting = v.pipe(
  v.strictObject({
    name: v.pipe(v.string(), v.regex(/^[A-Za-z]\w{0,59}$/, 'A setting is a plain name.')),
    label: Label,
    /** What it changes, in a sentence. */
    text: v.optional(Label),
    type: v.picklist(settingTypes),
    /** Of a text: a choice. */
    values: v.optional(v.array(v.strictObject({ value: v.string(), label: Label }))),
    min: v.optional(v.number()),
    max: v.optional(v.number()),
    default: v.union([v.string(), v.number(), v.boolean()]),
  }),
  v.check((setting) => boundsFit(setting), boundsRule('setting')),
  v.check(
    (setting) => isOfType(setting) && fitsField(setting, setting.default),
    'The default of a setting is as the setting is declared.',
  ),
)
export type DeclaredSetting = v.InferOutput<typeof DeclaredSetting>

/** A number is not written as a text, which a form would read as one. */
const isOfType = ({ type, default: usual }: { type: string; default: unknown }) =>
  typeof usual === (type === 'whole' ? 'number' : type === 'text' || type === 'day' ? 'string' : type)
