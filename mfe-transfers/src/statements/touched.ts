import { statements } from '@portal/contracts/transfers/statements'

/** What is read again after an act on a statement. */
export const touched = [statements.read, statements.findings, statements.list]
