import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The files below a folder, relative to it; none if there is no such folder. */
export const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    : []
