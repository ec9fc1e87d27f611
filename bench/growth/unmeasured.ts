const nothingFills = 'Nothing fills it: see docs/growth.md.'
const few = 'It has some hundred rows in a nation, too.'
const ofOne = 'It is of one person, school or file, and has as many rows in a nation.'
const people = 'It has what people decided one by one, and not what was paid.'

/** Paged lists, searches and exports that `callsOf` does not have, with the reason. A test refuses one that is in neither. */
export const unmeasured: Record<string, string> = {
  'GET /admin/cases': nothingFills,
  'GET /home/messages': nothingFills,
  'GET /admin/transfers/statements': nothingFills,
  'GET /admin/transfers/statements/{id}/findings': nothingFills,
  'POST /admin/transfers/statements/export': nothingFills,
  'POST /admin/transfers/statements/list/export': nothingFills,
  'GET /imports/{id}/rows': nothingFills,
  'GET /modules/{module}/records/{collection}': nothingFills,
  'GET /modules/{module}/records/{collection}/totals': nothingFills,
  'POST /modules/{module}/records/{collection}/export': nothingFills,
  'GET /modules/{module}/records/{collection}/references/{field}': 'It searches students as their list does.',
  'GET /imports/{id}/students': 'It searches students as their list does.',
  'GET /admin/schools/options': 'It searches schools as their list does.',
  'GET /admin/geo/places': few,
  'GET /admin/geo/locations/external': few,
  'GET /admin/geo/locations/list': few,
  'GET /admin/roles/list': few,
  'GET /admin/schools/partners/list': few,
  'GET /admin/sync/tokens': few,
  'GET /admin/transfers/parameters': few,
  'GET /imports': few,
  'GET /admin/modules/{module}/errors': few,
  'GET /notifications': ofOne,
  'POST /admin/people/{kind}/{id}/export': ofOne,
  'GET /admin/erasures': people,
  'GET /admin/transfers/corrections': people,
  'GET /admin/transfers/exceptions': people,
  'POST /admin/transfers/exceptions/export': people,
  'GET /admin/transfers/payee-holds': people,
  'POST /admin/transfers/payee-holds/export': people,
  'GET /admin/transfers/settlements': people,
  'GET /admin/transfers/sending-hold/differences': people,
  'POST /admin/transfers/cohorts/names/export': 'Its names are those of a list, whose export is measured.',
  'POST /admin/transfers/report/export': 'Its figures are those of the donors’ report, which is measured.',
  'POST /admin/schools/export': 'It has a hundredth of the rows of the export of students.',
  'POST /admin/transfers/cohorts/attendance/export': 'It has one row for each school of a list.',
}
