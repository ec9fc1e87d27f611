import * as v from 'valibot'
import { daysInOrder } from '../days-in-order.ts'
import { endpoint } from '../endpoint.ts'
import { exportStarted } from '../registers/register-fields.ts'
import { payeeHolds } from './payee-holds.ts'
import { paymentExceptions } from './payment-exceptions.ts'
import { statements } from './statements.ts'

/** A list without its place in it: search and filters, which its export takes over. */
const pages = ['page', 'per_page', 'sort'] as const

/** The exports of lists of transfers, each with the rows that search and filters of the list leave. */
export const transferLists = {
  exceptions: endpoint({
    method: 'POST',
    path: '/admin/transfers/exceptions/export',
    access: 'payrolls.export',
    body: v.omit(paymentExceptions.list.query, pages),
    answer: exportStarted,
  }),
  holds: endpoint({
    method: 'POST',
    path: '/admin/transfers/payee-holds/export',
    access: 'payrolls.export',
    body: v.omit(payeeHolds.list.query, pages),
    answer: exportStarted,
  }),
  statements: endpoint({
    method: 'POST',
    path: '/admin/transfers/statements/list/export',
    access: 'payrolls.export',
    body: v.pipe(v.omit(v.object(statements.list.query.entries), pages), daysInOrder()),
    answer: exportStarted,
  }),
}
