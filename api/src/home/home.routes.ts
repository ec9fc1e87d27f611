import { firstDay } from '@portal/contracts/access/first-day'
import { startPage } from '@portal/contracts/access/start-page'
import { home } from '@portal/contracts/home'
import { survey } from '@portal/contracts/home/survey'
import { notifications } from '@portal/contracts/notifications'
import { savedViews } from '@portal/contracts/saved-views'
import { storage as storageCalls } from '@portal/contracts/storage'
import { type App, type Call, serve } from '../kit/http/serve.ts'
import { readExport } from '../kit/jobs/exports.ts'
import { msg } from '../messages.ts'
import { askingRoutes } from '../modules/asking-routes.service.ts'
import { openStep, readFirstDay, showFirstDay } from './first-day.service.ts'
import { say } from './messages.ts'
import { readPreferences, savePreferences } from './notice-preferences.service.ts'
import { listNotifications, markAllNotifications, markNotification } from './notifications.service.ts'
import { createView, listViews, removeView, updateView } from './saved-views.service.ts'
import { chooseStart, readStart } from './start-page.service.ts'
import { homeStatistics } from './statistics.service.ts'
import { surveyEmbed } from './survey.service.ts'
import { homeTrends } from './trends.service.ts'
import { waitingFor } from './waiting.service.ts'

/** The calls of the home page, of a person's own notifications, views and exports. */
export function homeRoutes(app: App) {
  serve(app, home.statistics, ({ db, actor }) => homeStatistics(db, actor))
  serve(app, home.trends, ({ db }) => homeTrends(db))
  serve(app, home.waiting, ({ db, registry, log, actor }) => waitingFor({ db, registry, log }, actor))
  serve(app, survey.embed, ({ settings, log, locale }) => surveyEmbed({ settings, log }, locale))
  serve(app, notifications.list, ({ db, registry, log, actor, locale, query }) =>
    listNotifications({ db, registry, log }, actor, query, locale),
  )
  serve(app, notifications.mark, async ({ db, actor, params, body }) => {
    await markNotification(db, actor, params.id, body.read)
    return { message: msg.notificationMarked }
  })
  serve(app, notifications.markAll, async ({ db, actor }) => {
    await markAllNotifications(db, actor)
    return { message: msg.notificationsMarked }
  })
  serve(app, notifications.preferences, (call) => readPreferences(call, call.actor))
  serve(app, notifications.prefer, async (call) => ({
    message: say.preferencesSaved,
    ...(await savePreferences(call, call.actor, call.body)),
  }))
  serve(app, savedViews.list, async (call) => ({
    views: await listViews(call.db, await viewerOf(call), call.query.list),
  }))
  serve(app, savedViews.create, async (call) => ({
    message: say.viewSaved,
    view: await createView(call.db, await viewerOf(call), call.body),
  }))
  serve(app, savedViews.update, async (call) => ({
    message: say.viewSaved,
    view: await updateView(call.db, await viewerOf(call), call.params.id, call.body),
  }))
  serve(app, savedViews.remove, async (call) => {
    await removeView(call.db, await viewerOf(call), call.params.id)
    return { message: say.viewDeleted }
  })
  serve(app, startPage.read, async ({ db, actor }) => ({ start: await readStart(db, actor.id) }))
  serve(app, startPage.choose, async (call) => ({
    message: say.startSaved,
    start: await chooseStart(call.db, await viewerOf(call), call.body.start),
  }))
  serve(app, firstDay.read, ({ db, registry, log, actor }) => readFirstDay({ db, registry, log }, actor))
  serve(app, firstDay.show, async ({ db, actor, body: { shown } }) => {
    await showFirstDay(db, actor, shown)
    return { message: shown ? say.firstDayBack : say.firstDayLeft, shown }
  })
  serve(app, firstDay.open, async ({ db, registry, log, actor, body }) => {
    await openStep({ db, registry, log }, actor, body.step)
    return { message: say.stepOpened }
  })
  serve(app, storageCalls.exported, (call) => readExport(call, call.actor, call.params.file_name))
}

const viewerOf = async ({ registry, actor }: Pick<Call, 'registry' | 'actor'>) => ({
  actor,
  routes: await askingRoutes(registry, actor),
})
