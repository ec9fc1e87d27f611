import { listedThings } from '@portal/contracts/module-columns'
import type { ComponentType } from 'react'

/**
 * What a module is told about the thing that a page of another module shows. Small, so that it stays the same for years: whoever
 * needs more asks the server, which checks her rights. A student has no name here, because names are personal data.
 */
export type Items = {
  school: { id: number; name: string; code: string }
  student: { id: number; code: string; school_id: number }
  case: { id: number; number: string }
}
/** The kinds of things that modules can add to. */
export type ItemKind = keyof Items
/** Their fields, which links of a manifest may name in braces. */
export const itemFields = {
  school: ['id', 'name', 'code'],
  student: ['id', 'code', 'school_id'],
  case: ['id', 'number'],
} as const satisfies { [On in ItemKind]: (keyof Items[On])[] }
/** Every `ItemKind`. */
export const itemKinds: readonly ['school', 'student', 'case'] = listedThings satisfies readonly ItemKind[]

/** What a tab on the page of a school, a student or a case gets as its props. */
export type TabProps<On extends ItemKind> = Items[On]

/** Tabs of a module: what they are on, their name in the manifest, and how their file is fetched. */
export type ModuleTabs = {
  [On in ItemKind]?: Record<string, () => Promise<{ default: ComponentType<TabProps<On>> }>>
}

/** A tab of a module as a page lists it. `key` stands in the address, `mfe-health:visits`. */
export type OfferedTab = { key: string; title: string }

/** An entry of a module in the menu of a row: a link to one of its own pages, with what the row is. */
export type OfferedAct<On extends ItemKind> = { key: string; label: string; to: (item: Items[On]) => string }

/** A column of a module in a list. What it has for each row is read by `moduleColumns` of `@portal/contracts`. */
export type OfferedColumn = { key: string; label: string; show: 'text' | 'number' | 'date' | 'badge' }

/** What modules add to pages of other modules. The shell gives it to whoever draws such a page. */
export type Extensions = {
  /** The tabs that this person may open. No code of their modules is loaded for it. */
  tabs(on: ItemKind): readonly OfferedTab[]
  /** The entries that this person gets in the menus of rows. */
  acts<On extends ItemKind>(on: On): readonly OfferedAct<On>[]
  /** The columns that this person gets in lists; a portal of before 1.5 has none. */
  columns?(on: ItemKind): readonly OfferedColumn[]
  /** A tab, opened: its module's code is loaded now. */
  Tab: ComponentType<{ tab: string } & { [On in ItemKind]: { on: On; item: Items[On] } }[ItemKind]>
}

/**
 * Under which a build lists the files of a tab, as it lists those of a page by its address. No page has such an address.
 */
export const tabPlace = ({ on, id }: { on: ItemKind; id: string }): string => `/tabs/${on}/${id}`
