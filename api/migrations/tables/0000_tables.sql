CREATE TABLE "list_totals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "list_totals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"rows" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "permissions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "permissions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "role_permissions" (
	"role_id" bigint NOT NULL,
	"permission_id" bigint NOT NULL,
	CONSTRAINT "role_permissions_key" PRIMARY KEY("role_id","permission_id")
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "roles_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"administrator" boolean DEFAULT false NOT NULL,
	"requires_totp" boolean DEFAULT false NOT NULL,
	"user_id" bigint,
	"created_at" timestamptz DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_roles" (
	"user_id" bigint NOT NULL,
	"role_id" bigint NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "user_roles_key" PRIMARY KEY("user_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "guesses" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "guesses_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject" "bytea" NOT NULL,
	"address" text NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "password_tokens" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "password_tokens_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"purpose" text NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"expires_at" timestamptz NOT NULL,
	"used_at" timestamptz,
	CONSTRAINT "password_tokens_purpose_check" CHECK ("password_tokens"."purpose" in ('reset', 'invitation'))
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "recovery_codes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"used_at" timestamptz,
	"created_at" timestamptz DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sessions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"ip" text,
	"user_agent" text,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"last_seen_at" timestamptz DEFAULT now() NOT NULL,
	"ended_at" timestamptz
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"email" text,
	"gender" text,
	"type" text,
	"user_title" text,
	"date_of_birth" date,
	"account" boolean DEFAULT false NOT NULL,
	"password_hash" text,
	"deactivated_at" timestamptz,
	"locale" text,
	"number_form" text DEFAULT 'en-2' NOT NULL,
	"totp_secret" "bytea",
	"totp_confirmed_at" timestamptz,
	"totp_last_step" bigint,
	"user_id" bigint,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"updated_at" timestamptz DEFAULT now() NOT NULL,
	"search" text GENERATED ALWAYS AS (portal_search(first_name || ' ' || last_name || ' ' || first_name || ' ' || coalesce(email, ''))) STORED,
	CONSTRAINT "users_first_name_check" CHECK (length(trim("users"."first_name")) between 1 and 255),
	CONSTRAINT "users_last_name_check" CHECK (length(trim("users"."last_name")) between 1 and 255),
	CONSTRAINT "users_email_check" CHECK ("users"."email" = lower("users"."email")),
	CONSTRAINT "users_gender_check" CHECK ("users"."gender" in ('male', 'female')),
	CONSTRAINT "users_type_check" CHECK ("users"."type" in ('teacher', 'student', 'partner', 'developer')),
	CONSTRAINT "users_title_check" CHECK ("users"."user_title" in ('mr', 'mrs', 'miss', 'prof', 'dr')),
	CONSTRAINT "users_locale_check" CHECK ("users"."locale" in ('en', 'fr')),
	CONSTRAINT "users_number_form_check" CHECK ("users"."number_form" in ('en-2', 'fr-0')),
	CONSTRAINT "users_password_check" CHECK ("users"."password_hash" is null or "users"."account")
);
--> statement-breakpoint
CREATE TABLE "case_documents" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "case_documents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"case_id" bigint NOT NULL,
	"file_id" bigint NOT NULL,
	"description" text NOT NULL,
	"from_referral_id" bigint,
	"user_id" bigint,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "case_documents_file_id_key" UNIQUE("file_id")
);
--> statement-breakpoint
CREATE TABLE "case_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "case_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"case_id" bigint NOT NULL,
	"status" text NOT NULL,
	"note" text,
	"channel_id" bigint,
	"user_id" bigint,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "case_events_status_check" CHECK ("case_events"."status" in ('new', 'open', 'in_progress', 'resolved', 'rejected'))
);
--> statement-breakpoint
CREATE TABLE "case_tags" (
	"case_id" bigint NOT NULL,
	"tag_id" bigint NOT NULL,
	CONSTRAINT "case_tags_key" PRIMARY KEY("case_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "cases" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cases_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"number" text NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"status" text DEFAULT 'new' NOT NULL,
	"priority" text NOT NULL,
	"type_id" bigint NOT NULL,
	"channel_id" bigint NOT NULL,
	"assigned_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"plaintiff" text,
	"verdict" text,
	"decided_at" timestamptz,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"search" text GENERATED ALWAYS AS (portal_search(number || ' ' || title || ' ' || description)) STORED,
	CONSTRAINT "cases_number_key" UNIQUE("number"),
	CONSTRAINT "cases_status_check" CHECK ("cases"."status" in ('new', 'open', 'in_progress', 'resolved', 'rejected')),
	CONSTRAINT "cases_priority_check" CHECK ("cases"."priority" in ('low_1_month', 'medium_1_week', 'high_1_day')),
	CONSTRAINT "cases_decided_check" CHECK (("cases"."decided_at" is null) = ("cases"."status" in ('new', 'open', 'in_progress')))
);
--> statement-breakpoint
CREATE TABLE "referral_documents" (
	"referral_id" bigint NOT NULL,
	"document_id" bigint NOT NULL,
	CONSTRAINT "referral_documents_key" PRIMARY KEY("referral_id","document_id")
);
--> statement-breakpoint
CREATE TABLE "referral_notes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "referral_notes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"referral_id" bigint NOT NULL,
	"note" text NOT NULL,
	"document_id" bigint,
	"created_at" timestamptz DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "referrals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "referrals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"case_id" bigint NOT NULL,
	"number" text NOT NULL,
	"comment" text NOT NULL,
	"salutation" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"email" text NOT NULL,
	"profession" text NOT NULL,
	"user_id" bigint NOT NULL,
	"invite_hash" "bytea" NOT NULL,
	"expires_at" timestamptz DEFAULT now() + interval '30 days' NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"resolved_at" timestamptz,
	"rejected_at" timestamptz,
	"revoked_at" timestamptz,
	"expired_at" timestamptz,
	CONSTRAINT "referrals_number_key" UNIQUE("number"),
	CONSTRAINT "referrals_invite_hash_key" UNIQUE("invite_hash"),
	CONSTRAINT "referrals_salutation_check" CHECK ("referrals"."salutation" in ('mr', 'mrs', 'miss', 'prof', 'dr')),
	CONSTRAINT "referrals_end_check" CHECK (num_nonnulls("referrals"."resolved_at", "referrals"."rejected_at", "referrals"."revoked_at", "referrals"."expired_at") <= 1)
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"filled_as" text NOT NULL,
	"size" text,
	"ledger_at" timestamptz,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "installation_only_check" CHECK ("installation"."only"),
	CONSTRAINT "installation_filled_as_check" CHECK ("installation"."filled_as" in ('demo', 'empty')),
	CONSTRAINT "installation_size_check" CHECK (("installation"."filled_as" = 'demo') = ("installation"."size" is not null))
);
--> statement-breakpoint
CREATE TABLE "attendance" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "attendance_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"school_id" bigint NOT NULL,
	"date" date NOT NULL,
	"who" text NOT NULL,
	"class" text DEFAULT '' NOT NULL,
	"enrolled" integer NOT NULL,
	"present" integer NOT NULL,
	"reported_at" timestamptz NOT NULL,
	"message_id" bigint,
	CONSTRAINT "attendance_who_check" CHECK ("attendance"."who" in ('learners', 'teachers')),
	CONSTRAINT "attendance_class_check" CHECK (("attendance"."who" = 'teachers') = ("attendance"."class" = '')),
	CONSTRAINT "attendance_present_check" CHECK ("attendance"."present" between 0 and "attendance"."enrolled")
);
--> statement-breakpoint
CREATE TABLE "sync_tokens" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sync_tokens_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"last_used_at" timestamptz,
	"revoked_at" timestamptz
);
--> statement-breakpoint
CREATE TABLE "synced_messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "synced_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"message_id" text NOT NULL,
	"sync_token_id" bigint,
	"entity_type" text NOT NULL,
	"action" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"received_at" timestamptz DEFAULT now() NOT NULL,
	"processed_at" timestamptz,
	"error" jsonb
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"body" "bytea",
	"state" text DEFAULT 'queued' NOT NULL,
	"error" text,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"sent_at" timestamptz,
	CONSTRAINT "mails_state_check" CHECK ("mails"."state" in ('queued', 'sent', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notifications_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"text" jsonb NOT NULL,
	"link" text,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"read_at" timestamptz
);
--> statement-breakpoint
CREATE TABLE "import_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "import_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"import_id" bigint NOT NULL,
	"row" integer NOT NULL,
	"subject_id" bigint NOT NULL,
	"column" text NOT NULL,
	"old_value" text,
	"new_value" text
);
--> statement-breakpoint
CREATE TABLE "import_errors" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "import_errors_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"import_id" bigint NOT NULL,
	"row" integer NOT NULL,
	"column" text NOT NULL,
	"value" text,
	"message" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "import_rows" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "import_rows_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"import_id" bigint NOT NULL,
	"row" integer NOT NULL,
	"kind" text NOT NULL,
	"cells" jsonb NOT NULL,
	CONSTRAINT "import_rows_key" UNIQUE("import_id","row"),
	CONSTRAINT "import_rows_kind_check" CHECK ("import_rows"."kind" in ('new', 'changed', 'unchanged', 'duplicate', 'rejected'))
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"review" boolean DEFAULT false NOT NULL,
	"file_id" bigint NOT NULL,
	"file_name" text NOT NULL,
	"file_hash" text NOT NULL,
	"params" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"rows_read" integer DEFAULT 0 NOT NULL,
	"rows_new" integer DEFAULT 0 NOT NULL,
	"rows_changed" integer DEFAULT 0 NOT NULL,
	"rows_unchanged" integer DEFAULT 0 NOT NULL,
	"rows_duplicate" integer DEFAULT 0 NOT NULL,
	"rows_rejected" integer DEFAULT 0 NOT NULL,
	"problem" jsonb,
	"user_id" bigint NOT NULL,
	"fence" integer DEFAULT 0 NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"finished_at" timestamptz,
	CONSTRAINT "imports_kind_check" CHECK ("imports"."kind" in ('locations', 'schools', 'partners', 'teachers', 'students', 'parents', 'target-list')),
	CONSTRAINT "imports_state_check" CHECK ("imports"."state" in ('queued', 'reading', 'review', 'importing', 'imported', 'failed', 'cancelled')),
	CONSTRAINT "imports_counts_check" CHECK (least("imports"."rows_read", "imports"."rows_new", "imports"."rows_changed", "imports"."rows_unchanged", "imports"."rows_duplicate", "imports"."rows_rejected") >= 0)
);
--> statement-breakpoint
CREATE TABLE "audit_head" (
	"id" bigint PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"seal" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_links" (
	"position" bigint PRIMARY KEY NOT NULL,
	"audit_id" bigint NOT NULL,
	"previous" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_values" (
	"audit_id" bigint PRIMARY KEY NOT NULL,
	"salt" "bytea" NOT NULL,
	"old_values" jsonb,
	"new_values" jsonb,
	"erased_at" timestamptz
);
--> statement-breakpoint
CREATE TABLE "audits" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audits_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"user_id" bigint,
	"ip_address" text,
	"user_agent" text,
	"request_id" text,
	"event" text NOT NULL,
	"auditable_type" text NOT NULL,
	"auditable_id" bigint,
	"values_hash" "bytea" NOT NULL,
	"seal" "bytea" NOT NULL,
	"transaction" "xid8" DEFAULT pg_current_xact_id() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "exports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "exports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"params" jsonb NOT NULL,
	"locale" text DEFAULT 'en' NOT NULL,
	"file_name" text NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"rows_done" bigint DEFAULT 0 NOT NULL,
	"rows_total" bigint DEFAULT 0 NOT NULL,
	"file_key" text,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"expires_at" timestamptz DEFAULT now() + interval '24 hours' NOT NULL,
	CONSTRAINT "exports_file_name_key" UNIQUE("file_name"),
	CONSTRAINT "exports_state_check" CHECK ("exports"."state" in ('queued', 'writing', 'ready', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "files" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "files_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"size" bigint NOT NULL,
	"sha256" "bytea" NOT NULL,
	"user_id" bigint,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "files_key_key" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "academies" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "academies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"region_id" bigint NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "academies_key" UNIQUE("region_id","name")
);
--> statement-breakpoint
CREATE TABLE "arrondissements" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "arrondissements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"commune_id" bigint NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"search" text GENERATED ALWAYS AS (portal_search(name)) STORED,
	CONSTRAINT "arrondissements_key" UNIQUE("commune_id","name"),
	CONSTRAINT "arrondissements_name_check" CHECK ("arrondissements"."name" = upper("arrondissements"."name") and "arrondissements"."name" <> '')
);
--> statement-breakpoint
CREATE TABLE "caps" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "caps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"academy_id" bigint NOT NULL,
	"name" text NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "caps_key" UNIQUE("academy_id","name")
);
--> statement-breakpoint
CREATE TABLE "cercles" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cercles_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"region_id" bigint NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "cercles_key" UNIQUE("region_id","name"),
	CONSTRAINT "cercles_name_check" CHECK ("cercles"."name" = upper("cercles"."name") and "cercles"."name" <> '')
);
--> statement-breakpoint
CREATE TABLE "communes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "communes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"cercle_id" bigint NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "communes_key" UNIQUE("cercle_id","name"),
	CONSTRAINT "communes_name_check" CHECK ("communes"."name" = upper("communes"."name") and "communes"."name" <> '')
);
--> statement-breakpoint
CREATE TABLE "reference_values" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reference_values_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"list" text NOT NULL,
	"code" text NOT NULL,
	"en" text NOT NULL,
	"fr" text NOT NULL,
	"country" text,
	"position" integer DEFAULT 0 NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	CONSTRAINT "reference_values_key" UNIQUE("list","code"),
	CONSTRAINT "reference_values_list_check" CHECK ("reference_values"."list" in ('class_level', 'language', 'school_type', 'partner_type', 'employment_type', 'case_type', 'case_channel', 'case_tag')),
	CONSTRAINT "reference_values_country_check" CHECK ("reference_values"."country" in ('ml', 'sn'))
);
--> statement-breakpoint
CREATE TABLE "regions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "regions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"country" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "regions_key" UNIQUE("country","name"),
	CONSTRAINT "regions_country_check" CHECK ("regions"."country" in ('ml', 'sn')),
	CONSTRAINT "regions_name_check" CHECK ("regions"."name" = upper("regions"."name") and "regions"."name" <> '')
);
--> statement-breakpoint
CREATE TABLE "classes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "classes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"school_id" bigint NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "classes_key" UNIQUE("school_id","name")
);
--> statement-breakpoint
CREATE TABLE "partner_schools" (
	"partner_id" bigint NOT NULL,
	"school_id" bigint NOT NULL,
	CONSTRAINT "partner_schools_key" PRIMARY KEY("partner_id","school_id")
);
--> statement-breakpoint
CREATE TABLE "partners" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "partners_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"user_id" bigint NOT NULL,
	"partner_type" text NOT NULL,
	"partner_since" date NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"search" text GENERATED ALWAYS AS (portal_search(name)) STORED,
	CONSTRAINT "partners_user_id_key" UNIQUE("user_id")
);
--> statement-breakpoint
CREATE TABLE "schools" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "schools_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"admin_code" text NOT NULL,
	"type_of_school" text NOT NULL,
	"cap_id" bigint NOT NULL,
	"arrondissement_id" bigint,
	"academic_year" text NOT NULL,
	"user_id" bigint,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"search" text GENERATED ALWAYS AS (portal_search(name || ' ' || admin_code)) STORED,
	CONSTRAINT "schools_admin_code_key" UNIQUE("admin_code"),
	CONSTRAINT "schools_name_check" CHECK (length(trim("schools"."name")) > 0),
	CONSTRAINT "schools_admin_code_check" CHECK (length(trim("schools"."admin_code")) > 0),
	CONSTRAINT "schools_academic_year_check" CHECK ("schools"."academic_year" ~ '^[0-9]{4}-[0-9]{4}$')
);
--> statement-breakpoint
CREATE TABLE "teacher_classes" (
	"teacher_id" bigint NOT NULL,
	"class_id" bigint NOT NULL,
	CONSTRAINT "teacher_classes_key" PRIMARY KEY("teacher_id","class_id")
);
--> statement-breakpoint
CREATE TABLE "teachers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "teachers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"school_id" bigint NOT NULL,
	"natural_key" text NOT NULL,
	"start_date" date,
	"employment_type" text,
	"phone_1" text,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "teachers_natural_key_key" UNIQUE("school_id","natural_key"),
	CONSTRAINT "teachers_user_id_key" UNIQUE("user_id","school_id")
);
--> statement-breakpoint
CREATE TABLE "parent_students" (
	"parent_id" bigint NOT NULL,
	"student_id" bigint NOT NULL,
	CONSTRAINT "parent_students_key" PRIMARY KEY("parent_id","student_id")
);
--> statement-breakpoint
CREATE TABLE "parents" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "parents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"parent_assigned_id" text NOT NULL,
	"contact_1" text,
	"contact_2" text,
	"displaced_or_resident" text,
	"is_handicap" boolean,
	"profession" text,
	"boys_in_f1" integer,
	"girls_in_f1" integer,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"search" text GENERATED ALWAYS AS (portal_search(parent_assigned_id || ' ' || coalesce(contact_1, '') || ' ' || coalesce(contact_2, ''))) STORED,
	CONSTRAINT "parents_parent_assigned_id_key" UNIQUE("parent_assigned_id"),
	CONSTRAINT "parents_user_id_key" UNIQUE("user_id"),
	CONSTRAINT "parents_displaced_check" CHECK ("parents"."displaced_or_resident" in ('displaced', 'resident')),
	CONSTRAINT "parents_children_check" CHECK ("parents"."boys_in_f1" >= 0 and "parents"."girls_in_f1" >= 0)
);
--> statement-breakpoint
CREATE TABLE "students" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "students_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"school_id" bigint NOT NULL,
	"class_id" bigint,
	"student_code" text NOT NULL,
	"student_assigned_id" text,
	"current_class_level" text,
	"admission_number" text,
	"academic_year" text,
	"start_date" date,
	"language_spoken" text,
	"maternal_status" text,
	"disability_vision" text,
	"disability_hearing" text,
	"disability_mobility" text,
	"disability_cognition" text,
	"disability_selfcare" text,
	"disability_communication" text,
	"disability_other" text,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"search" text GENERATED ALWAYS AS (portal_search(student_code || ' ' || coalesce(student_assigned_id, '') || ' ' || coalesce(admission_number, ''))) STORED,
	CONSTRAINT "students_student_code_key" UNIQUE("student_code"),
	CONSTRAINT "students_user_id_key" UNIQUE("user_id"),
	CONSTRAINT "students_student_code_check" CHECK (length(trim("students"."student_code")) > 0),
	CONSTRAINT "students_maternal_status_check" CHECK ("students"."maternal_status" in ('none', 'pregnant', 'mother', 'pregnant_mother')),
	CONSTRAINT "students_vision_check" CHECK ("students"."disability_vision" in ('no_difficulty', 'some_difficulty', 'lot_of_difficulty', 'cannot_do')),
	CONSTRAINT "students_hearing_check" CHECK ("students"."disability_hearing" in ('no_difficulty', 'some_difficulty', 'lot_of_difficulty', 'cannot_do')),
	CONSTRAINT "students_mobility_check" CHECK ("students"."disability_mobility" in ('no_difficulty', 'some_difficulty', 'lot_of_difficulty', 'cannot_do')),
	CONSTRAINT "students_cognition_check" CHECK ("students"."disability_cognition" in ('no_difficulty', 'some_difficulty', 'lot_of_difficulty', 'cannot_do')),
	CONSTRAINT "students_selfcare_check" CHECK ("students"."disability_selfcare" in ('no_difficulty', 'some_difficulty', 'lot_of_difficulty', 'cannot_do')),
	CONSTRAINT "students_communication_check" CHECK ("students"."disability_communication" in ('no_difficulty', 'some_difficulty', 'lot_of_difficulty', 'cannot_do')),
	CONSTRAINT "students_other_check" CHECK ("students"."disability_other" in ('no_difficulty', 'some_difficulty', 'lot_of_difficulty', 'cannot_do'))
);
--> statement-breakpoint
CREATE TABLE "payment_attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payroll_id" bigint NOT NULL,
	"n" integer DEFAULT 1 NOT NULL,
	"idempotency_key" uuid DEFAULT gen_random_uuid() NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"ask_at" timestamp with time zone,
	"external_trx_id" text,
	"reason" text,
	"user_id" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "payment_attempts_key" UNIQUE("idempotency_key"),
	CONSTRAINT "payment_attempts_number" UNIQUE("payroll_id","n"),
	CONSTRAINT "payment_attempts_state" CHECK ("payment_attempts"."state" in ('pending', 'sending', 'success', 'failed', 'unknown'))
);
--> statement-breakpoint
CREATE TABLE "payment_exceptions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_exceptions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payroll_id" bigint NOT NULL,
	"attempt_id" bigint NOT NULL,
	"said" text NOT NULL,
	"resolved" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recipient_corrections" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "recipient_corrections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"master_list_id" bigint NOT NULL,
	"old_values" jsonb NOT NULL,
	"new_values" jsonb NOT NULL,
	"user_id" bigint NOT NULL,
	"approved_by" bigint,
	"approved_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "recipient_corrections_four_eyes" CHECK ("recipient_corrections"."approved_by" is null or "recipient_corrections"."approved_by" <> "recipient_corrections"."user_id")
);
--> statement-breakpoint
CREATE TABLE "transfer_agencies" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "transfer_agencies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text NOT NULL,
	"type" text NOT NULL,
	"country" text NOT NULL,
	"fees" numeric(5, 2) NOT NULL,
	"endpoint" text NOT NULL,
	"protocol" text NOT NULL,
	"details" jsonb NOT NULL,
	"secrets" "bytea",
	"secret_names" text[] DEFAULT '{}' NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transfer_agencies_name" UNIQUE("name"),
	CONSTRAINT "transfer_agencies_type" CHECK ("transfer_agencies"."type" in ('mobile_money', 'bank')),
	CONSTRAINT "transfer_agencies_country" CHECK ("transfer_agencies"."country" in ('ml', 'sn')),
	CONSTRAINT "transfer_agencies_status" CHECK ("transfer_agencies"."status" in ('active', 'inactive')),
	CONSTRAINT "transfer_agencies_fees" CHECK ("transfer_agencies"."fees" between 0 and 100)
);
--> statement-breakpoint
CREATE TABLE "transfer_cohorts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "transfer_cohorts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text NOT NULL,
	"from" date NOT NULL,
	"to" date NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"transfer_agency_id" bigint NOT NULL,
	"transfer_parameter_id" bigint NOT NULL,
	"import_id" bigint NOT NULL,
	"file_hash" text NOT NULL,
	"rounds_total" integer NOT NULL,
	"master_list_count" integer DEFAULT 0 NOT NULL,
	"list_amount" bigint DEFAULT 0 NOT NULL,
	"list_fees" bigint DEFAULT 0 NOT NULL,
	"list_hash" text,
	"imported_at" timestamp with time zone,
	"user_id" bigint NOT NULL,
	"decided_by" bigint,
	"decided_at" timestamp with time zone,
	"comment" text,
	"error_reason" text,
	"stopped_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transfer_cohorts_import" UNIQUE("import_id"),
	CONSTRAINT "transfer_cohorts_status" CHECK ("transfer_cohorts"."status" in ('pending', 'approved', 'rejected', 'error')),
	CONSTRAINT "transfer_cohorts_period" CHECK ("transfer_cohorts"."to" >= "transfer_cohorts"."from"),
	CONSTRAINT "transfer_cohorts_rounds" CHECK ("transfer_cohorts"."rounds_total" between 1 and 120),
	CONSTRAINT "transfer_cohorts_decided" CHECK (("transfer_cohorts"."status" = 'pending') = ("transfer_cohorts"."decided_at" is null)),
	CONSTRAINT "transfer_cohorts_imported" CHECK ("transfer_cohorts"."status" = 'pending' or "transfer_cohorts"."imported_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "transfer_master_list" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "transfer_master_list_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"cohort_id" bigint NOT NULL,
	"row" integer NOT NULL,
	"receiver_first_name" text NOT NULL,
	"receiver_last_name" text NOT NULL,
	"receiver_phone_number" text,
	"receiver_account" text,
	"receiver_bank" text,
	"student_id" bigint NOT NULL,
	"student_code" text NOT NULL,
	"amount" bigint NOT NULL,
	"fees" bigint NOT NULL,
	"total_amount" bigint GENERATED ALWAYS AS (amount + fees) STORED NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transfer_master_list_student" UNIQUE("cohort_id","student_code"),
	CONSTRAINT "transfer_master_list_amount" CHECK ("transfer_master_list"."amount" > 0 and "transfer_master_list"."fees" >= 0),
	CONSTRAINT "transfer_master_list_receiver" CHECK ("transfer_master_list"."receiver_phone_number" is not null or "transfer_master_list"."receiver_account" is not null)
);
--> statement-breakpoint
CREATE TABLE "transfer_parameters" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "transfer_parameters_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text NOT NULL,
	"commission_hundredths" integer NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text DEFAULT 'XOF' NOT NULL,
	"frequency" integer NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transfer_parameters_name" UNIQUE("name"),
	CONSTRAINT "transfer_parameters_commission" CHECK ("transfer_parameters"."commission_hundredths" between 0 and 10000),
	CONSTRAINT "transfer_parameters_amount" CHECK ("transfer_parameters"."amount" > 0),
	CONSTRAINT "transfer_parameters_currency" CHECK ("transfer_parameters"."currency" = 'XOF'),
	CONSTRAINT "transfer_parameters_frequency" CHECK ("transfer_parameters"."frequency" between 1 and 31),
	CONSTRAINT "transfer_parameters_status" CHECK ("transfer_parameters"."status" in ('active', 'inactive'))
);
--> statement-breakpoint
CREATE TABLE "transfer_payroll_groups" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "transfer_payroll_groups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"cohort_id" bigint NOT NULL,
	"n" integer NOT NULL,
	"due_on" date NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"pending" integer DEFAULT 0 NOT NULL,
	"sending" integer DEFAULT 0 NOT NULL,
	"success" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"unknown" integer DEFAULT 0 NOT NULL,
	"expected_amount" bigint DEFAULT 0 NOT NULL,
	"pending_amount" bigint DEFAULT 0 NOT NULL,
	"success_amount" bigint DEFAULT 0 NOT NULL,
	"failed_amount" bigint DEFAULT 0 NOT NULL,
	"unknown_amount" bigint DEFAULT 0 NOT NULL,
	"written_off_amount" bigint DEFAULT 0 NOT NULL,
	"success_fees" bigint DEFAULT 0 NOT NULL,
	"lease_owner" text,
	"lease_until" timestamp with time zone,
	"fence" bigint DEFAULT 0 NOT NULL,
	"executed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transfer_payroll_groups_round" UNIQUE("cohort_id","n"),
	CONSTRAINT "transfer_payroll_groups_counts" CHECK ("transfer_payroll_groups"."pending" + "transfer_payroll_groups"."sending" + "transfer_payroll_groups"."success" + "transfer_payroll_groups"."failed" + "transfer_payroll_groups"."unknown" = "transfer_payroll_groups"."total"),
	CONSTRAINT "transfer_payroll_groups_amounts" CHECK ("transfer_payroll_groups"."pending_amount" + "transfer_payroll_groups"."success_amount" + "transfer_payroll_groups"."failed_amount" + "transfer_payroll_groups"."unknown_amount" + "transfer_payroll_groups"."written_off_amount" = "transfer_payroll_groups"."expected_amount"),
	CONSTRAINT "transfer_payroll_groups_floor" CHECK (least("transfer_payroll_groups"."pending", "transfer_payroll_groups"."sending", "transfer_payroll_groups"."success", "transfer_payroll_groups"."failed", "transfer_payroll_groups"."unknown") >= 0)
);
--> statement-breakpoint
CREATE TABLE "transfer_payrolls" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "transfer_payrolls_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payroll_group_id" bigint NOT NULL,
	"master_list_id" bigint NOT NULL,
	"receiver_first_name" text NOT NULL,
	"receiver_last_name" text NOT NULL,
	"receiver_phone_number" text,
	"receiver_account" text,
	"receiver_bank" text,
	"amount" bigint NOT NULL,
	"fees" bigint NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"external_trx_id" text,
	"failure_reason" text,
	"agency_fees" bigint,
	"written_off_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transfer_payrolls_once" UNIQUE("payroll_group_id","master_list_id"),
	CONSTRAINT "transfer_payrolls_status" CHECK ("transfer_payrolls"."status" in ('pending', 'sending', 'success', 'failed', 'unknown')),
	CONSTRAINT "transfer_payrolls_amount" CHECK ("transfer_payrolls"."amount" > 0 and "transfer_payrolls"."fees" >= 0),
	CONSTRAINT "transfer_payrolls_written_off" CHECK ("transfer_payrolls"."written_off_at" is null or "transfer_payrolls"."status" = 'failed')
);
--> statement-breakpoint
CREATE TABLE "transfer_rounds" (
	"cohort_id" bigint NOT NULL,
	"n" integer NOT NULL,
	"due_on" date NOT NULL,
	"state" text DEFAULT 'scheduled' NOT NULL,
	CONSTRAINT "transfer_rounds_cohort_id_n_pk" PRIMARY KEY("cohort_id","n"),
	CONSTRAINT "transfer_rounds_state" CHECK ("transfer_rounds"."state" in ('scheduled', 'missed', 'made'))
);
--> statement-breakpoint
ALTER TABLE "role_permissions" ADD CONSTRAINT "role_permissions_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_permissions" ADD CONSTRAINT "role_permissions_permission_id_permissions_id_fk" FOREIGN KEY ("permission_id") REFERENCES "public"."permissions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_tokens" ADD CONSTRAINT "password_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_documents" ADD CONSTRAINT "case_documents_case_id_cases_id_fk" FOREIGN KEY ("case_id") REFERENCES "public"."cases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_documents" ADD CONSTRAINT "case_documents_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_documents" ADD CONSTRAINT "case_documents_from_referral_id_referrals_id_fk" FOREIGN KEY ("from_referral_id") REFERENCES "public"."referrals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_documents" ADD CONSTRAINT "case_documents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_events" ADD CONSTRAINT "case_events_case_id_cases_id_fk" FOREIGN KEY ("case_id") REFERENCES "public"."cases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_events" ADD CONSTRAINT "case_events_channel_id_reference_values_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."reference_values"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_events" ADD CONSTRAINT "case_events_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_tags" ADD CONSTRAINT "case_tags_case_id_cases_id_fk" FOREIGN KEY ("case_id") REFERENCES "public"."cases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_tags" ADD CONSTRAINT "case_tags_tag_id_reference_values_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."reference_values"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cases" ADD CONSTRAINT "cases_type_id_reference_values_id_fk" FOREIGN KEY ("type_id") REFERENCES "public"."reference_values"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cases" ADD CONSTRAINT "cases_channel_id_reference_values_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."reference_values"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cases" ADD CONSTRAINT "cases_assigned_id_users_id_fk" FOREIGN KEY ("assigned_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cases" ADD CONSTRAINT "cases_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral_documents" ADD CONSTRAINT "referral_documents_referral_id_referrals_id_fk" FOREIGN KEY ("referral_id") REFERENCES "public"."referrals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral_documents" ADD CONSTRAINT "referral_documents_document_id_case_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."case_documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral_notes" ADD CONSTRAINT "referral_notes_referral_id_referrals_id_fk" FOREIGN KEY ("referral_id") REFERENCES "public"."referrals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral_notes" ADD CONSTRAINT "referral_notes_document_id_case_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."case_documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_case_id_cases_id_fk" FOREIGN KEY ("case_id") REFERENCES "public"."cases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attendance" ADD CONSTRAINT "attendance_school_id_schools_id_fk" FOREIGN KEY ("school_id") REFERENCES "public"."schools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attendance" ADD CONSTRAINT "attendance_message_id_synced_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."synced_messages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_tokens" ADD CONSTRAINT "sync_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "synced_messages" ADD CONSTRAINT "synced_messages_sync_token_id_sync_tokens_id_fk" FOREIGN KEY ("sync_token_id") REFERENCES "public"."sync_tokens"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_changes" ADD CONSTRAINT "import_changes_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_errors" ADD CONSTRAINT "import_errors_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_links" ADD CONSTRAINT "audit_links_audit_id_audits_id_fk" FOREIGN KEY ("audit_id") REFERENCES "public"."audits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_values" ADD CONSTRAINT "audit_values_audit_id_audits_id_fk" FOREIGN KEY ("audit_id") REFERENCES "public"."audits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "academies" ADD CONSTRAINT "academies_region_id_regions_id_fk" FOREIGN KEY ("region_id") REFERENCES "public"."regions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "arrondissements" ADD CONSTRAINT "arrondissements_commune_id_communes_id_fk" FOREIGN KEY ("commune_id") REFERENCES "public"."communes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "caps" ADD CONSTRAINT "caps_academy_id_academies_id_fk" FOREIGN KEY ("academy_id") REFERENCES "public"."academies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cercles" ADD CONSTRAINT "cercles_region_id_regions_id_fk" FOREIGN KEY ("region_id") REFERENCES "public"."regions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "communes" ADD CONSTRAINT "communes_cercle_id_cercles_id_fk" FOREIGN KEY ("cercle_id") REFERENCES "public"."cercles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "classes" ADD CONSTRAINT "classes_school_id_schools_id_fk" FOREIGN KEY ("school_id") REFERENCES "public"."schools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_schools" ADD CONSTRAINT "partner_schools_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_schools" ADD CONSTRAINT "partner_schools_school_id_schools_id_fk" FOREIGN KEY ("school_id") REFERENCES "public"."schools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partners" ADD CONSTRAINT "partners_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schools" ADD CONSTRAINT "schools_cap_id_caps_id_fk" FOREIGN KEY ("cap_id") REFERENCES "public"."caps"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schools" ADD CONSTRAINT "schools_arrondissement_id_arrondissements_id_fk" FOREIGN KEY ("arrondissement_id") REFERENCES "public"."arrondissements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schools" ADD CONSTRAINT "schools_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "teacher_classes" ADD CONSTRAINT "teacher_classes_teacher_id_teachers_id_fk" FOREIGN KEY ("teacher_id") REFERENCES "public"."teachers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "teacher_classes" ADD CONSTRAINT "teacher_classes_class_id_classes_id_fk" FOREIGN KEY ("class_id") REFERENCES "public"."classes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "teachers" ADD CONSTRAINT "teachers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "teachers" ADD CONSTRAINT "teachers_school_id_schools_id_fk" FOREIGN KEY ("school_id") REFERENCES "public"."schools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parent_students" ADD CONSTRAINT "parent_students_parent_id_parents_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."parents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parent_students" ADD CONSTRAINT "parent_students_student_id_students_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."students"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parents" ADD CONSTRAINT "parents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "students" ADD CONSTRAINT "students_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "students" ADD CONSTRAINT "students_school_id_schools_id_fk" FOREIGN KEY ("school_id") REFERENCES "public"."schools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "students" ADD CONSTRAINT "students_class_id_classes_id_fk" FOREIGN KEY ("class_id") REFERENCES "public"."classes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_payroll_id_transfer_payrolls_id_fk" FOREIGN KEY ("payroll_id") REFERENCES "public"."transfer_payrolls"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_exceptions" ADD CONSTRAINT "payment_exceptions_payroll_id_transfer_payrolls_id_fk" FOREIGN KEY ("payroll_id") REFERENCES "public"."transfer_payrolls"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_exceptions" ADD CONSTRAINT "payment_exceptions_attempt_id_payment_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."payment_attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recipient_corrections" ADD CONSTRAINT "recipient_corrections_master_list_id_transfer_master_list_id_fk" FOREIGN KEY ("master_list_id") REFERENCES "public"."transfer_master_list"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recipient_corrections" ADD CONSTRAINT "recipient_corrections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recipient_corrections" ADD CONSTRAINT "recipient_corrections_approved_by_users_id_fk" FOREIGN KEY ("approved_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_agencies" ADD CONSTRAINT "transfer_agencies_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_cohorts" ADD CONSTRAINT "transfer_cohorts_transfer_agency_id_transfer_agencies_id_fk" FOREIGN KEY ("transfer_agency_id") REFERENCES "public"."transfer_agencies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_cohorts" ADD CONSTRAINT "transfer_cohorts_transfer_parameter_id_transfer_parameters_id_fk" FOREIGN KEY ("transfer_parameter_id") REFERENCES "public"."transfer_parameters"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_cohorts" ADD CONSTRAINT "transfer_cohorts_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_cohorts" ADD CONSTRAINT "transfer_cohorts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_cohorts" ADD CONSTRAINT "transfer_cohorts_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_master_list" ADD CONSTRAINT "transfer_master_list_cohort_id_transfer_cohorts_id_fk" FOREIGN KEY ("cohort_id") REFERENCES "public"."transfer_cohorts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_master_list" ADD CONSTRAINT "transfer_master_list_student_id_students_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."students"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_parameters" ADD CONSTRAINT "transfer_parameters_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_payroll_groups" ADD CONSTRAINT "transfer_payroll_groups_cohort_id_transfer_cohorts_id_fk" FOREIGN KEY ("cohort_id") REFERENCES "public"."transfer_cohorts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_payrolls" ADD CONSTRAINT "transfer_payrolls_payroll_group_id_transfer_payroll_groups_id_fk" FOREIGN KEY ("payroll_group_id") REFERENCES "public"."transfer_payroll_groups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_payrolls" ADD CONSTRAINT "transfer_payrolls_master_list_id_transfer_master_list_id_fk" FOREIGN KEY ("master_list_id") REFERENCES "public"."transfer_master_list"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_rounds" ADD CONSTRAINT "transfer_rounds_cohort_id_transfer_cohorts_id_fk" FOREIGN KEY ("cohort_id") REFERENCES "public"."transfer_cohorts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "list_totals_name_index" ON "list_totals" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "permissions_name_key" ON "permissions" USING btree ("name");--> statement-breakpoint
CREATE INDEX "role_permissions_permission_id_index" ON "role_permissions" USING btree ("permission_id");--> statement-breakpoint
CREATE UNIQUE INDEX "roles_name_key" ON "roles" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "roles_administrator_key" ON "roles" USING btree ("administrator") WHERE administrator;--> statement-breakpoint
CREATE INDEX "user_roles_role_id_index" ON "user_roles" USING btree ("role_id");--> statement-breakpoint
CREATE INDEX "guesses_subject_index" ON "guesses" USING btree ("kind","subject","created_at");--> statement-breakpoint
CREATE INDEX "guesses_address_index" ON "guesses" USING btree ("address","created_at");--> statement-breakpoint
CREATE INDEX "guesses_created_at_index" ON "guesses" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "password_tokens_token_hash_key" ON "password_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "password_tokens_user_id_index" ON "password_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "recovery_codes_key" ON "recovery_codes" USING btree ("user_id","code_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token_hash_key" ON "sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "sessions_user_id_index" ON "sessions" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree ("email");--> statement-breakpoint
CREATE INDEX "users_accounts_index" ON "users" USING btree ("id") WHERE account;--> statement-breakpoint
CREATE INDEX "users_search_index" ON "users" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_user_id_index" ON "users" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "case_documents_case_id_index" ON "case_documents" USING btree ("case_id","id");--> statement-breakpoint
CREATE INDEX "case_documents_referral_index" ON "case_documents" USING btree ("from_referral_id");--> statement-breakpoint
CREATE INDEX "case_events_case_id_index" ON "case_events" USING btree ("case_id","id");--> statement-breakpoint
CREATE INDEX "case_tags_tag_id_index" ON "case_tags" USING btree ("tag_id");--> statement-breakpoint
CREATE INDEX "cases_newest_index" ON "cases" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "cases_assigned_id_index" ON "cases" USING btree ("assigned_id");--> statement-breakpoint
CREATE INDEX "cases_user_id_index" ON "cases" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "cases_search_index" ON "cases" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "referral_documents_document_id_index" ON "referral_documents" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "referral_notes_referral_id_index" ON "referral_notes" USING btree ("referral_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "referrals_open_key" ON "referrals" USING btree ("case_id") WHERE coalesce(resolved_at, rejected_at, revoked_at, expired_at) is null;--> statement-breakpoint
CREATE INDEX "referrals_case_id_index" ON "referrals" USING btree ("case_id");--> statement-breakpoint
CREATE UNIQUE INDEX "attendance_key" ON "attendance" USING btree ("school_id","date","who","class");--> statement-breakpoint
CREATE INDEX "attendance_date_index" ON "attendance" USING btree ("date");--> statement-breakpoint
CREATE UNIQUE INDEX "sync_tokens_token_hash_key" ON "sync_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "synced_messages_message_id_key" ON "synced_messages" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "synced_messages_open_index" ON "synced_messages" USING btree ("id") WHERE processed_at is null;--> statement-breakpoint
CREATE INDEX "notifications_user_id_index" ON "notifications" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "notifications_unread_index" ON "notifications" USING btree ("user_id") WHERE read_at is null;--> statement-breakpoint
CREATE INDEX "import_changes_import_id_index" ON "import_changes" USING btree ("import_id","row");--> statement-breakpoint
CREATE INDEX "import_errors_row_index" ON "import_errors" USING btree ("import_id","row","id");--> statement-breakpoint
CREATE INDEX "import_rows_kind_index" ON "import_rows" USING btree ("import_id","kind","row");--> statement-breakpoint
CREATE INDEX "imports_kind_index" ON "imports" USING btree ("kind","id");--> statement-breakpoint
CREATE INDEX "imports_user_id_index" ON "imports" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_links_audit_id_key" ON "audit_links" USING btree ("audit_id");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_links_previous_key" ON "audit_links" USING btree ("previous");--> statement-breakpoint
CREATE INDEX "audits_created_at_index" ON "audits" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "audits_transaction_index" ON "audits" USING btree ("transaction");--> statement-breakpoint
CREATE INDEX "audits_user_id_index" ON "audits" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "audits_auditable_index" ON "audits" USING btree ("auditable_type","auditable_id");--> statement-breakpoint
CREATE INDEX "exports_user_id_index" ON "exports" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "exports_expires_at_index" ON "exports" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "files_user_id_index" ON "files" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "arrondissements_search_index" ON "arrondissements" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "partner_schools_school_id_index" ON "partner_schools" USING btree ("school_id");--> statement-breakpoint
CREATE INDEX "partners_search_index" ON "partners" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "schools_cap_id_index" ON "schools" USING btree ("cap_id");--> statement-breakpoint
CREATE INDEX "schools_arrondissement_id_index" ON "schools" USING btree ("arrondissement_id");--> statement-breakpoint
CREATE INDEX "schools_search_index" ON "schools" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "teacher_classes_class_id_index" ON "teacher_classes" USING btree ("class_id");--> statement-breakpoint
CREATE INDEX "parent_students_student_id_index" ON "parent_students" USING btree ("student_id");--> statement-breakpoint
CREATE INDEX "parents_search_index" ON "parents" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "students_school_id_index" ON "students" USING btree ("school_id","id");--> statement-breakpoint
CREATE INDEX "students_class_id_index" ON "students" USING btree ("class_id");--> statement-breakpoint
CREATE INDEX "students_search_index" ON "students" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_one_open" ON "payment_attempts" USING btree ("payroll_id") WHERE state <> 'failed';--> statement-breakpoint
CREATE INDEX "payment_attempts_ask" ON "payment_attempts" USING btree ("ask_at") WHERE state in ('sending', 'unknown');--> statement-breakpoint
CREATE UNIQUE INDEX "recipient_corrections_open" ON "recipient_corrections" USING btree ("master_list_id") WHERE approved_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "transfer_cohorts_same_upload" ON "transfer_cohorts" USING btree ("file_hash","name","from","to","transfer_agency_id","transfer_parameter_id") WHERE status <> 'rejected';--> statement-breakpoint
CREATE INDEX "transfer_cohorts_newest" ON "transfer_cohorts" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "transfer_master_list_page" ON "transfer_master_list" USING btree ("cohort_id","id");--> statement-breakpoint
CREATE INDEX "transfer_master_list_by_student" ON "transfer_master_list" USING btree ("student_id");--> statement-breakpoint
CREATE INDEX "transfer_master_list_phone" ON "transfer_master_list" USING btree ("cohort_id","receiver_phone_number");--> statement-breakpoint
CREATE INDEX "transfer_payroll_groups_open" ON "transfer_payroll_groups" USING btree ("due_on") WHERE pending + sending + unknown > 0;--> statement-breakpoint
CREATE INDEX "transfer_payrolls_status" ON "transfer_payrolls" USING btree ("payroll_group_id","status","id");--> statement-breakpoint
CREATE INDEX "transfer_payrolls_master" ON "transfer_payrolls" USING btree ("master_list_id");--> statement-breakpoint
CREATE INDEX "transfer_rounds_due" ON "transfer_rounds" USING btree ("due_on") WHERE state = 'scheduled';