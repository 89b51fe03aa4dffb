/** Objects of /v1 and of /dashboard/api, generated from the schemas of their routes: test/api/http/openapi.test.ts writes this file anew. */
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Event */
        Event: {
            id: string;
            /** @constant */
            object: "event";
            livemode: boolean;
            event_name: string;
            /** @description The `external_id` of the customer. */
            customer_id: string;
            idempotency_key: string;
            timestamp: string;
            properties: {
                [key: string]: unknown;
            };
            created_at: string;
        };
        /** EventBatchItem */
        EventBatchItem: {
            id: string;
            idempotency_key: string;
            /** @enum {string} */
            status: "created" | "duplicate";
        };
        /** EventBatch */
        EventBatch: {
            /** @constant */
            object: "event_batch";
            created: number;
            duplicates: number;
            /** @description In the order of the request. */
            events: components["schemas"]["EventBatchItem"][];
        };
        /** EventBilling */
        EventBilling: {
            charge_id: string | null;
            charge_name: string | null;
            subscription_id: string | null;
            /** @enum {string} */
            status: "pending" | "billed" | "late" | "too_late" | "trial" | "unrated";
            reason: ("no_subscription" | "no_charge" | "filters_do_not_match" | "no_price" | "before_start" | "after_cancellation" | "property_missing" | "property_not_usable" | "invoice_void") | null;
            invoice_id: string | null;
            invoice_number: string | null;
            line_item_id: string | null;
            period_start: string | null;
            period_end: string | null;
            period_invoice_id: string | null;
            period_invoice_number: string | null;
            expected_at: string | null;
        };
        /** EventWithBilling */
        EventWithBilling: {
            id: string;
            /** @constant */
            object: "event";
            livemode: boolean;
            event_name: string;
            /** @description The `external_id` of the customer. */
            customer_id: string;
            idempotency_key: string;
            timestamp: string;
            properties: {
                [key: string]: unknown;
            };
            created_at: string;
            /** @description The billing status of the event, for each charge that counts it. */
            billing: components["schemas"]["EventBilling"][];
        };
        /** UsageReportDay */
        UsageReportDay: {
            /** @description The start of the day, midnight UTC. */
            day: string;
            /** @description All events of the range in this group: the sum of the other counts. */
            accepted: number;
            /** @description Events that will be billed or are on a draft. */
            pending: number;
            billed: number;
            /** @description Events that arrived after their period was billed; they are on the next invoice. */
            late: number;
            /** @description Late events that only `regenerate` can bill. */
            too_late: number;
            trial: number;
            /** @description Events that no charge counts. */
            unrated: number;
        };
        /** UsageReportEventName */
        UsageReportEventName: {
            event_name: string;
            /** @description All events of the range in this group: the sum of the other counts. */
            accepted: number;
            /** @description Events that will be billed or are on a draft. */
            pending: number;
            billed: number;
            /** @description Events that arrived after their period was billed; they are on the next invoice. */
            late: number;
            /** @description Late events that only `regenerate` can bill. */
            too_late: number;
            trial: number;
            /** @description Events that no charge counts. */
            unrated: number;
        };
        /** UsageReportCustomer */
        UsageReportCustomer: {
            customer_id: string;
            /** @description All events of the range in this group: the sum of the other counts. */
            accepted: number;
            /** @description Events that will be billed or are on a draft. */
            pending: number;
            billed: number;
            /** @description Events that arrived after their period was billed; they are on the next invoice. */
            late: number;
            /** @description Late events that only `regenerate` can bill. */
            too_late: number;
            trial: number;
            /** @description Events that no charge counts. */
            unrated: number;
        };
        /** UsageReport */
        UsageReport: {
            /** @constant */
            object: "usage_report";
            from: string;
            to: string;
            /** @enum {string} */
            group_by: "day" | "event_name" | "customer";
            /** @description The instant as of which the counts are exact: what was stored or changed since may not be in them. Usually now; while much is stored or billed at once, some seconds or minutes ago. */
            as_of: string;
            /** @description By day, every day of the range, in order. By event name, the names with events, in order. By customer, the customers with events, newest first. An event that several charges count is counted once. */
            data: (components["schemas"]["UsageReportDay"] | components["schemas"]["UsageReportEventName"] | components["schemas"]["UsageReportCustomer"])[];
            has_more: boolean;
            next_cursor: string | null;
        };
        /** Address */
        Address: {
            line1: string | null;
            line2: string | null;
            postal_code: string | null;
            city: string | null;
            state: string | null;
            country: string | null;
        };
        /** TaxId */
        TaxId: {
            /** @enum {string} */
            type: "eu_vat" | "gb_vat" | "ch_uid" | "us_ein" | "jp_trn" | "in_gst" | "au_abn" | "other";
            value: string;
        };
        /**
         * CollectionPause
         * @description No reminder and no charge goes out by itself until it ends.
         */
        CollectionPause: {
            /** @enum {string} */
            reason: "disputed" | "promised" | "other";
            until: string | null;
            note: string | null;
            created_at: string;
            created_by: string | null;
        };
        /** Redaction */
        Redaction: {
            /** @description When the customer was last blanked. */
            redacted_at: string;
            /** @description The properties that all redactions of the customer named, in order. */
            properties: string[];
            /**
             * @description Whether these properties have been removed from the events that were stored before the redaction.
             * @enum {string}
             */
            events: "pending" | "done";
            /** @description What stays as it is: the `external_id`; issued invoices and credit notes, with their copies of the customer; the idempotency keys of events with a hash of what was sent; the properties of events that a charge reads; the files of archived events. */
            kept: ("external_id" | "issued_invoices" | "credit_notes" | "event_keys" | "charge_properties" | "archive_files")[];
        };
        /** Customer */
        Customer: {
            id: string;
            /** @constant */
            object: "customer";
            livemode: boolean;
            created_at: string;
            external_id: string;
            name: string | null;
            email: string | null;
            currency: string;
            tax_rate: string;
            /** @enum {string} */
            tax_treatment: "standard" | "exempt" | "reverse_charge";
            address: components["schemas"]["Address"] | null;
            tax_ids: components["schemas"]["TaxId"][];
            buyer_reference: string | null;
            timezone: string | null;
            net_days: number | null;
            /** @description Where emails go; `email` while the list is empty. */
            billing_emails: string[];
            /** @description Whether nothing is sent by itself. */
            email_muted: boolean;
            language: ("en" | "de" | "fr" | "it" | "es" | "nl") | null;
            reminder_days: number[] | null;
            charge_mode: ("manual" | "automatic") | null;
            collection_pause: components["schemas"]["CollectionPause"] | null;
            /**
             * @description At most 200 members and 64 KiB.
             * @example {}
             */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The remaining credit of active grants, in units of usage. */
            credit_remaining: number;
            /** @description Money in advance, in `currency`, which covers the next invoices. */
            balance: string;
            test_clock: string | null;
            redaction: components["schemas"]["Redaction"] | null;
        };
        /** DeletedCustomer */
        DeletedCustomer: {
            id: string;
            /** @constant */
            object: "customer";
            /** @constant */
            deleted: true;
        };
        /** LineAggregation */
        LineAggregation: {
            /** @enum {string} */
            type: "count" | "sum" | "max" | "unique" | "latest";
            property?: string;
        };
        /** Usage */
        Usage: {
            event_name: string;
            charge_id: string;
            /** @description The plan that has the charge. */
            plan_id: string;
            plan_name: string;
            plan_version: number | null;
            aggregation: components["schemas"]["LineAggregation"];
            group: string | null;
            quantity: string;
        };
        /** CountAggregation */
        CountAggregation: {
            /** @constant */
            type: "count";
        };
        /** PropertyAggregation */
        PropertyAggregation: {
            /** @enum {string} */
            type: "sum" | "max" | "unique" | "latest";
            property: string;
        };
        /** Aggregation */
        Aggregation: components["schemas"]["CountAggregation"] | components["schemas"]["PropertyAggregation"];
        /** ChargeFilters */
        ChargeFilters: {
            [key: string]: (string | number | boolean)[];
        };
        /** FlatCharge */
        FlatCharge: {
            id: string;
            event_name: string;
            name: string | null;
            unit_name: string | null;
            aggregation: components["schemas"]["Aggregation"];
            filters: components["schemas"]["ChargeFilters"] | null;
            /** @constant */
            pricing_model: "flat";
            prices: null;
            group_by: string[] | null;
            flat_amount: string;
            /** @enum {string} */
            billed: "in_arrears" | "in_advance";
            quantity: "subscription" | null;
        };
        /** PerUnitCharge */
        PerUnitCharge: {
            id: string;
            event_name: string;
            name: string | null;
            unit_name: string | null;
            aggregation: components["schemas"]["Aggregation"];
            filters: components["schemas"]["ChargeFilters"] | null;
            /** @constant */
            pricing_model: "per_unit";
            prices: null;
            group_by: string[] | null;
            unit_amount: string;
        };
        /** Tier */
        Tier: {
            up_to: string | null;
            unit_amount: string;
            flat_amount: string | null;
        };
        /** GraduatedCharge */
        GraduatedCharge: {
            id: string;
            event_name: string;
            name: string | null;
            unit_name: string | null;
            aggregation: components["schemas"]["Aggregation"];
            filters: components["schemas"]["ChargeFilters"] | null;
            /** @constant */
            pricing_model: "graduated";
            prices: null;
            group_by: string[] | null;
            tiers: components["schemas"]["Tier"][];
        };
        /** VolumeCharge */
        VolumeCharge: {
            id: string;
            event_name: string;
            name: string | null;
            unit_name: string | null;
            aggregation: components["schemas"]["Aggregation"];
            filters: components["schemas"]["ChargeFilters"] | null;
            /** @constant */
            pricing_model: "volume";
            prices: null;
            group_by: string[] | null;
            tiers: components["schemas"]["Tier"][];
        };
        /** PackageCharge */
        PackageCharge: {
            id: string;
            event_name: string;
            name: string | null;
            unit_name: string | null;
            aggregation: components["schemas"]["Aggregation"];
            filters: components["schemas"]["ChargeFilters"] | null;
            /** @constant */
            pricing_model: "package";
            prices: null;
            group_by: string[] | null;
            package_size: string;
            package_amount: string;
            free_units: string;
        };
        /** CreditCharge */
        CreditCharge: {
            id: string;
            event_name: string;
            name: string | null;
            unit_name: string | null;
            aggregation: components["schemas"]["Aggregation"];
            filters: components["schemas"]["ChargeFilters"] | null;
            /** @constant */
            pricing_model: "credit";
            prices: null;
            group_by: string[] | null;
            credits_per_unit: string;
            overage_unit_amount: string;
        };
        /** PercentageCharge */
        PercentageCharge: {
            id: string;
            event_name: string;
            name: string | null;
            unit_name: string | null;
            aggregation: components["schemas"]["Aggregation"];
            filters: components["schemas"]["ChargeFilters"] | null;
            /** @constant */
            pricing_model: "percentage";
            prices: null;
            group_by: string[] | null;
            rate: string;
            minimum_amount: string | null;
            maximum_amount: string | null;
        };
        /** PerUnitPrice */
        PerUnitPrice: {
            match: components["schemas"]["ChargeFilters"] | null;
            /** @description Whether it is the price of all events that no match is for. */
            default: boolean;
            unit_amount: string;
        };
        /** PerUnitChargeByDimension */
        PerUnitChargeByDimension: {
            id: string;
            event_name: string;
            name: string | null;
            unit_name: string | null;
            aggregation: components["schemas"]["Aggregation"];
            filters: components["schemas"]["ChargeFilters"] | null;
            /** @constant */
            pricing_model: "per_unit";
            prices: components["schemas"]["PerUnitPrice"][];
            group_by: string[] | null;
        };
        /** GraduatedPrice */
        GraduatedPrice: {
            match: components["schemas"]["ChargeFilters"] | null;
            /** @description Whether it is the price of all events that no match is for. */
            default: boolean;
            tiers: components["schemas"]["Tier"][];
        };
        /** GraduatedChargeByDimension */
        GraduatedChargeByDimension: {
            id: string;
            event_name: string;
            name: string | null;
            unit_name: string | null;
            aggregation: components["schemas"]["Aggregation"];
            filters: components["schemas"]["ChargeFilters"] | null;
            /** @constant */
            pricing_model: "graduated";
            prices: components["schemas"]["GraduatedPrice"][];
            group_by: string[] | null;
        };
        /** VolumePrice */
        VolumePrice: {
            match: components["schemas"]["ChargeFilters"] | null;
            /** @description Whether it is the price of all events that no match is for. */
            default: boolean;
            tiers: components["schemas"]["Tier"][];
        };
        /** VolumeChargeByDimension */
        VolumeChargeByDimension: {
            id: string;
            event_name: string;
            name: string | null;
            unit_name: string | null;
            aggregation: components["schemas"]["Aggregation"];
            filters: components["schemas"]["ChargeFilters"] | null;
            /** @constant */
            pricing_model: "volume";
            prices: components["schemas"]["VolumePrice"][];
            group_by: string[] | null;
        };
        /** PackagePrice */
        PackagePrice: {
            match: components["schemas"]["ChargeFilters"] | null;
            /** @description Whether it is the price of all events that no match is for. */
            default: boolean;
            package_size: string;
            package_amount: string;
            free_units: string;
        };
        /** PackageChargeByDimension */
        PackageChargeByDimension: {
            id: string;
            event_name: string;
            name: string | null;
            unit_name: string | null;
            aggregation: components["schemas"]["Aggregation"];
            filters: components["schemas"]["ChargeFilters"] | null;
            /** @constant */
            pricing_model: "package";
            prices: components["schemas"]["PackagePrice"][];
            group_by: string[] | null;
        };
        /** Charge */
        Charge: components["schemas"]["FlatCharge"] | components["schemas"]["PerUnitCharge"] | components["schemas"]["GraduatedCharge"] | components["schemas"]["VolumeCharge"] | components["schemas"]["PackageCharge"] | components["schemas"]["CreditCharge"] | components["schemas"]["PercentageCharge"] | components["schemas"]["PerUnitChargeByDimension"] | components["schemas"]["GraduatedChargeByDimension"] | components["schemas"]["VolumeChargeByDimension"] | components["schemas"]["PackageChargeByDimension"];
        /** PlanGrantDays */
        PlanGrantDays: {
            days: number;
        };
        /** PlanGrant */
        PlanGrant: {
            /** @description In units of usage. */
            amount: number;
            event_names: string[] | null;
            expires: "period_end" | components["schemas"]["PlanGrantDays"];
            carry_over_max: number | null;
            /** @description Whether a period that is short as it begins has its share alone. */
            prorate: boolean;
        };
        /** PlanOverrideTier */
        PlanOverrideTier: {
            up_to: string | null;
            unit_amount: string;
            flat_amount?: string;
        };
        /** PlanOverridePrice */
        PlanOverridePrice: {
            match?: components["schemas"]["ChargeFilters"];
            /** @constant */
            default?: true;
            flat_amount?: string;
            /** @enum {string} */
            billed?: "in_arrears" | "in_advance";
            /** @enum {string} */
            quantity?: "subscription";
            unit_amount?: string;
            tiers?: components["schemas"]["PlanOverrideTier"][];
            package_size?: string;
            package_amount?: string;
            free_units?: string;
            credits_per_unit?: string;
            overage_unit_amount?: string;
            rate?: string;
            minimum_amount?: string;
            maximum_amount?: string;
        };
        /** PlanOverride */
        PlanOverride: {
            /** @description The place of the charge in the base, from 0. */
            charge: number;
            /** @enum {string} */
            pricing_model?: "flat" | "per_unit" | "graduated" | "volume" | "package" | "credit" | "percentage";
            prices?: components["schemas"]["PlanOverridePrice"][];
            flat_amount?: string;
            /** @enum {string} */
            billed?: "in_arrears" | "in_advance";
            /** @enum {string} */
            quantity?: "subscription";
            unit_amount?: string;
            tiers?: components["schemas"]["PlanOverrideTier"][];
            package_size?: string;
            package_amount?: string;
            free_units?: string;
            credits_per_unit?: string;
            overage_unit_amount?: string;
            rate?: string;
            minimum_amount?: string;
            maximum_amount?: string;
        };
        /** PricingPlan */
        PricingPlan: {
            id: string;
            /** @constant */
            object: "pricing_plan";
            livemode: boolean;
            created_at: string;
            key: string | null;
            version: number | null;
            archived_at: string | null;
            name: string;
            currency: string;
            /** @enum {string} */
            interval: "day" | "week" | "month" | "year";
            interval_count: number;
            pricing_model: ("flat" | "per_unit" | "graduated" | "volume" | "package" | "credit" | "percentage") | null;
            charges: components["schemas"]["Charge"][];
            minimum_amount: string | null;
            grants: components["schemas"]["PlanGrant"][];
            /**
             * @description At most 200 members and 64 KiB.
             * @example {}
             */
            metadata: {
                [key: string]: unknown;
            };
            based_on: string | null;
            customer_id: string | null;
            overrides: components["schemas"]["PlanOverride"][] | null;
        };
        /** PlanFieldChange */
        PlanFieldChange: {
            /** @description Named as in errors: `charges[0].tiers[1].up_to`. */
            field: string;
            current: string | null;
            proposed: string | null;
        };
        /** PricingPlanPreview */
        PricingPlanPreview: {
            /** @constant */
            object: "pricing_plan_preview";
            key: string | null;
            version: number | null;
            current: components["schemas"]["PricingPlan"] | null;
            changes: components["schemas"]["PlanFieldChange"][];
            /** @description Whether more fields differ. */
            has_more: boolean;
        };
        /** PendingChange */
        PendingChange: {
            plan_id: string;
            at: string;
        };
        /**
         * Quantities
         * @description By the event names of flat charges with a quantity.
         */
        Quantities: {
            [key: string]: string;
        };
        /** PendingQuantities */
        PendingQuantities: {
            at: string;
            quantities: components["schemas"]["Quantities"];
        };
        /** Subscription */
        Subscription: {
            id: string;
            /** @constant */
            object: "subscription";
            livemode: boolean;
            created_at: string;
            customer_id: string;
            /** @description The plan at the customer's now. */
            plan_id: string;
            /** @enum {string} */
            status: "pending" | "trialing" | "active" | "canceled";
            start_date: string;
            trial_end_date: string | null;
            billing_anchor: string | null;
            pending_change: components["schemas"]["PendingChange"] | null;
            /** @description The time zone of the customer when the subscription was created, an IANA name. Periods follow the days and months of this zone. */
            timezone: string;
            quantities: components["schemas"]["Quantities"];
            /** @description The changes of quantity that are to come, the next first. */
            pending_quantities: components["schemas"]["PendingQuantities"][];
            current_period_start: string;
            current_period_end: string;
            cancel_at: string | null;
            canceled_at: string | null;
            bill_at: string | null;
            attention: string | null;
            unbilled_since: string | null;
            workflow_id: string | null;
        };
        /**
         * LineGroup
         * @description The value of each property that the charge groups by, as text; null for events without one.
         */
        LineGroup: {
            [key: string]: string | null;
        };
        /** ItemOfLine */
        ItemOfLine: {
            id: string;
            unit_amount: string;
        };
        /** PricedTier */
        PricedTier: {
            up_to: string | null;
            quantity: string;
            unit_amount: string;
            flat_amount: string;
            amount: string;
        };
        /** DiscountOfLine */
        DiscountOfLine: {
            discount_id: string;
            name: string;
            percent: string | null;
        };
        /** Stretch */
        Stretch: {
            period_start: string;
            period_end: string;
            quantity: string;
            amount: string;
        };
        /** UpcomingLineItem */
        UpcomingLineItem: {
            /** @enum {string} */
            type: "flat" | "usage" | "late_usage" | "item" | "discount" | "minimum";
            charge_id: string | null;
            price_index: number | null;
            group: components["schemas"]["LineGroup"] | null;
            /** @description Whether the line bills all groups that have no line of their own. */
            others: boolean;
            invoice_item: components["schemas"]["ItemOfLine"] | null;
            event_name: string | null;
            description: string;
            pricing_model: ("flat" | "per_unit" | "graduated" | "volume" | "package" | "credit" | "percentage") | null;
            aggregation: components["schemas"]["LineAggregation"] | null;
            quantity: string;
            skipped_events: number;
            credits_applied: string;
            billable_quantity: string;
            tiers: components["schemas"]["PricedTier"][] | null;
            amount: string;
            period_start: string;
            period_end: string;
            /** @description The discounts of the line, the oldest first, with their names at its issue. */
            discounts: components["schemas"]["DiscountOfLine"][];
            amount_before: string | null;
            stretches: components["schemas"]["Stretch"][] | null;
            billed_before: string | null;
        };
        /** Tax */
        Tax: {
            rate: string;
            amount: string;
            /** @enum {string} */
            treatment: "standard" | "exempt" | "reverse_charge";
            note: string | null;
        };
        /** UpcomingInvoice */
        UpcomingInvoice: {
            /** @constant */
            object: "upcoming_invoice";
            livemode: boolean;
            customer_id: string;
            subscription_id: string;
            plan_id: string;
            /**
             * @description Whether it closes its period, opens it with the fees in advance, or is the last one after the end of the subscription.
             * @enum {string}
             */
            kind: "period" | "opening" | "late";
            currency: string;
            /** @description The time zone of the subscription, an IANA name: days on the invoice are days of this zone. */
            timezone: string;
            period_start: string;
            period_end: string;
            line_items: components["schemas"]["UpcomingLineItem"][];
            subtotal: string;
            tax: components["schemas"]["Tax"];
            total: string;
            credits_applied: string;
        };
        /** CreditNoteLine */
        CreditNoteLine: {
            line_item_id: string;
            description: string;
            /** @description Net. */
            amount: string;
        };
        /** CreditNotePreview */
        CreditNotePreview: {
            /** @constant */
            object: "credit_note_preview";
            livemode: boolean;
            invoice_id: string;
            customer_id: string;
            currency: string;
            lines: components["schemas"]["CreditNoteLine"][];
            subtotal: string;
            tax: components["schemas"]["Tax"];
            total: string;
            /** @description What it takes off what is due on the invoice. */
            to_invoice: string;
            /** @description What it adds to the customer's balance. */
            to_balance: string;
            /** @description What you pay back outside of Tidemark. */
            outside: string;
        };
        /** PlanChangePreview */
        PlanChangePreview: {
            /** @constant */
            object: "plan_change_preview";
            closing: components["schemas"]["UpcomingInvoice"] | null;
            opening: components["schemas"]["UpcomingInvoice"] | null;
            upcoming: components["schemas"]["UpcomingInvoice"] | null;
            /** @description Of fees in advance of time that is not used. */
            credit_notes: components["schemas"]["CreditNotePreview"][];
            /** @description What comes with the change: `closing` and `opening`, less `credit_notes`, with tax, before any balance. Below zero if more is credited. */
            due: string;
        };
        /** Period */
        Period: {
            /**
             * @description `late`: the days after the end of a subscription in which late usage is collected.
             * @enum {string}
             */
            kind: "trial" | "billing" | "late";
            plan_id: string;
            period_start: string;
            period_end: string;
            invoice_id: string | null;
            opening_invoice_id: string | null;
        };
        /** QuantityChangePreview */
        QuantityChangePreview: {
            /** @constant */
            object: "quantity_change_preview";
            opening: components["schemas"]["UpcomingInvoice"] | null;
            upcoming: components["schemas"]["UpcomingInvoice"] | null;
            /** @description Of a lower quantity of fees in advance. */
            credit_notes: components["schemas"]["CreditNotePreview"][];
        };
        /** PlanMigrationComparison */
        PlanMigrationComparison: {
            subscription_id: string;
            customer_id: string;
            current: string;
            proposed: string;
            difference: string;
        };
        /** PlanMigrationPreview */
        PlanMigrationPreview: {
            /** @constant */
            object: "plan_migration_preview";
            /** @description The subscriptions that have the plan, or a custom plan based on it. */
            total: number;
            current: string;
            proposed: string;
            difference: string;
            /** @description The 100 newest: what the plan charges for the usage of the current period up to now and for a whole period of its fees. The amounts beside `data` are the sums. */
            data: components["schemas"]["PlanMigrationComparison"][];
            has_more: boolean;
        };
        /** PlanMigration */
        PlanMigration: {
            id: string;
            /** @constant */
            object: "plan_migration";
            livemode: boolean;
            created_at: string;
            /**
             * @description `taken_back`: its changes that are still scheduled go, until `finished_at`.
             * @enum {string}
             */
            status: "running" | "done" | "stopped" | "taken_back";
            /** @description As it was sent: a plan, or the key of all its versions. */
            from_plan_id: string;
            /** @description The plan, also where a key was sent. */
            to_plan_id: string;
            /** @description As it was sent. */
            at: string;
            /** @description Whether custom plans are based anew on the target; else they are skipped. */
            custom: boolean;
            /** @description The subscriptions that had the plan, or a custom plan based on it, when the migration was created. */
            total: number;
            changed: number;
            skipped: number;
            failed: number;
            taken_back: number;
            finished_at: string | null;
        };
        /** ErrorDetail */
        ErrorDetail: {
            param: string | null;
            /** @enum {string} */
            reason: "not_permitted" | "missing" | "unknown_member" | "unknown_parameter" | "wrong_type" | "malformed" | "out_of_range" | "too_long" | "too_large" | "too_deep" | "too_old" | "too_many" | "not_exact" | "duplicate_member" | "not_allowed" | "out_of_order" | "in_future" | "bad_cursor" | "bad_framing" | "bad_media_type" | "unknown_customer" | "unknown_plan" | "unknown_subscription" | "unknown_line_item" | "unknown_invoice" | "no_earlier_invoice" | "unknown_event" | "unknown_placeholder" | "no_recipient" | "unknown_payment_method" | "no_payment_method" | "paused" | "not_chargeable" | "not_refundable" | "currency_mismatch" | "overlapping_charges" | "overlapping_prices" | "overlapping_subscription" | "idempotency_mismatch" | "request_in_progress" | "external_id_taken" | "email_taken" | "invalid_state" | "has_payments" | "has_credit_notes" | "duplicate_payment" | "paid_out" | "archived" | "month_closed" | "property_in_use" | "key_refused" | "wrong_mode" | "other_account" | "no_payment_provider" | "provider_refused" | "charge_in_progress" | "has_subscriptions" | "has_events" | "has_credit_grants" | "has_invoices" | "has_invoice_items" | "has_balance_entries" | "has_discounts" | "has_pricing_plans" | "has_payment_methods" | "impossible_to_bill" | "clock_moved_back" | "too_many_periods" | "not_in_time" | "unavailable" | "internal";
            message: string;
        };
        /** PlanMigrationOutcome */
        PlanMigrationOutcome: {
            subscription_id: string;
            customer_id: string;
            /** @enum {string} */
            status: "changed" | "skipped" | "failed" | "taken_back";
            reason: string | null;
            details: components["schemas"]["ErrorDetail"][] | null;
        };
        /** Discount */
        Discount: {
            id: string;
            /** @constant */
            object: "discount";
            livemode: boolean;
            created_at: string;
            /**
             * @description `ended` from `until` on, by the customer's clock.
             * @enum {string}
             */
            status: "active" | "ended";
            customer_id: string;
            subscription_id: string | null;
            currency: string;
            name: string;
            percent: string | null;
            amount: string | null;
            event_names: string[] | null;
            from: string;
            until: string | null;
        };
        /** LineItem */
        LineItem: {
            id: string;
            /** @enum {string} */
            type: "flat" | "usage" | "late_usage" | "item" | "discount" | "minimum";
            charge_id: string | null;
            price_index: number | null;
            group: components["schemas"]["LineGroup"] | null;
            /** @description Whether the line bills all groups that have no line of their own. */
            others: boolean;
            invoice_item: components["schemas"]["ItemOfLine"] | null;
            event_name: string | null;
            description: string;
            pricing_model: ("flat" | "per_unit" | "graduated" | "volume" | "package" | "credit" | "percentage") | null;
            aggregation: components["schemas"]["LineAggregation"] | null;
            quantity: string;
            skipped_events: number;
            credits_applied: string;
            billable_quantity: string;
            tiers: components["schemas"]["PricedTier"][] | null;
            amount: string;
            period_start: string;
            period_end: string;
            /** @description The discounts of the line, the oldest first, with their names at its issue. */
            discounts: components["schemas"]["DiscountOfLine"][];
            amount_before: string | null;
            stretches: components["schemas"]["Stretch"][] | null;
            billed_before: string | null;
        };
        /** InvoiceCollection */
        InvoiceCollection: {
            /** @enum {string} */
            status: "scheduled" | "charging" | "processing" | "action_required" | "exhausted" | "none" | "paused" | "done";
            /** @description How many attempts to charge it were made. */
            attempts: number;
            next_attempt_at: string | null;
            workflow_id: string | null;
        };
        /** Payment */
        Payment: {
            id: string;
            /** @constant */
            object: "payment";
            livemode: boolean;
            created_at: string;
            invoice_id: string | null;
            customer_id: string;
            transfer_id: string | null;
            currency: string;
            amount: string;
            /** @description The part above what was due, which went to the customer's balance; of a payment in advance all of it. */
            to_balance: string;
            reference: string | null;
            paid_at: string;
            created_by: string | null;
            reversed_at: string | null;
            reversal_reason: string | null;
            reversed_by: string | null;
            /** @description What refunds of it give back that have not failed. */
            refunded: string;
            /** @description What is left to refund: 0 of a payment that is reversed, or that the payment provider did not make. */
            refundable: string;
        };
        /** CreditNoteOfInvoice */
        CreditNoteOfInvoice: {
            id: string;
            number: string;
            /** @enum {string} */
            status: "issued" | "void";
            /** @description Whether billing issued it itself. */
            automatic: boolean;
            total: string;
        };
        /**
         * Seller
         * @description Of the invoice.
         */
        Seller: {
            name: string;
            address: components["schemas"]["Address"] | null;
            tax_ids: components["schemas"]["TaxId"][];
            footer: string | null;
        };
        /**
         * BilledCustomer
         * @description Of the invoice.
         */
        BilledCustomer: {
            external_id: string;
            name: string | null;
            email: string | null;
            address: components["schemas"]["Address"] | null;
            tax_ids: components["schemas"]["TaxId"][];
            /** @enum {string} */
            tax_treatment: "standard" | "exempt" | "reverse_charge";
            buyer_reference: string | null;
        };
        /** Invoice */
        Invoice: {
            id: string;
            /** @constant */
            object: "invoice";
            livemode: boolean;
            created_at: string;
            number: string | null;
            /** @enum {string} */
            status: "draft" | "open" | "paid" | "void";
            /** @enum {string} */
            payment_status: "unpaid" | "partially_paid" | "paid" | "void";
            customer_id: string;
            subscription_id: string;
            plan_id: string;
            /**
             * @description Whether it closes its period, opens it with the fees in advance, or is the last one after the end of the subscription.
             * @enum {string}
             */
            kind: "period" | "opening" | "late";
            opening_number: number | null;
            cause: "threshold" | null;
            currency: string;
            /** @description The time zone of the subscription, an IANA name: days on the invoice are days of this zone. */
            timezone: string;
            period_start: string;
            period_end: string;
            line_items: components["schemas"]["LineItem"][];
            subtotal: string;
            tax: components["schemas"]["Tax"];
            total: string;
            amount_due: string;
            amount_paid: string;
            /** @description What the customer's balance covers. */
            balance_applied: string;
            /** @description What the balance covered when the invoice was issued, as the document says. */
            balance_at_issue: string;
            /** @description What credit notes take off what is due. */
            credited: string;
            credits_applied: string;
            replaces: string | null;
            replaced_by: string | null;
            issued_at: string | null;
            due_date: string | null;
            /** @description Whether the due date is over while the invoice is open. */
            overdue: boolean;
            collection_pause: components["schemas"]["CollectionPause"] | null;
            collection: components["schemas"]["InvoiceCollection"];
            sent_at: string | null;
            paid_at: string | null;
            voided_at: string | null;
            void_reason: string | null;
            payment_reference: string | null;
            /** @description In the order of recording, reversed ones too. */
            payments: components["schemas"]["Payment"][];
            /** @description In the order of issue, void ones too. */
            credit_notes: components["schemas"]["CreditNoteOfInvoice"][];
            /** @description Whether the PDF leaves out lines of quantity and amount 0. */
            hide_zero_lines: boolean;
            seller: components["schemas"]["Seller"];
            customer: components["schemas"]["BilledCustomer"];
            logo_sha256: string | null;
        };
        /** InvoiceSum */
        InvoiceSum: {
            /** @enum {string} */
            status: "draft" | "open" | "paid" | "void";
            currency: string;
            count: number;
            total: string;
            tax: string;
            amount_due: string;
            amount_paid: string;
        };
        /** InvoiceSummary */
        InvoiceSummary: {
            /** @constant */
            object: "invoice_summary";
            data: components["schemas"]["InvoiceSum"][];
        };
        /** CausedAmount */
        CausedAmount: {
            /** @enum {string} */
            cause: "usage" | "price" | "credit" | "proration" | "late" | "new" | "gone" | "tax_base" | "tax_rate";
            amount: string;
        };
        /** ComparedLine */
        ComparedLine: {
            title: string;
            /** @enum {string} */
            kind: "fee" | "usage" | "item" | "discount" | "minimum" | "tax";
            event_name: string | null;
            group: components["schemas"]["LineGroup"] | null;
            amount: string;
            /** @description Of the other invoice. */
            with_amount: string;
            difference: string;
            quantity: string | null;
            with_quantity: string | null;
            /** @description They add up to `difference`; none is zero. */
            causes: components["schemas"]["CausedAmount"][];
        };
        /**
         * InvoiceComparison
         * @description The proposed invoice, whose id is null here, beside the current one.
         */
        InvoiceComparison: {
            /** @constant */
            object: "invoice_comparison";
            invoice_id: string | null;
            with_invoice_id: string;
            currency: string;
            total: string;
            /** @description Of the other invoice. */
            with_total: string;
            difference: string;
            /** @description The greatest difference first, of either sign; the tax last. */
            lines: components["schemas"]["ComparedLine"][];
        };
        /** InvoiceItem */
        InvoiceItem: {
            id: string;
            /** @constant */
            object: "invoice_item";
            livemode: boolean;
            created_at: string;
            /**
             * @description `pending`: on no invoice, or on a draft. `invoiced`: on an issued invoice that is not void.
             * @enum {string}
             */
            status: "pending" | "invoiced";
            customer_id: string;
            subscription_id: string;
            currency: string;
            description: string;
            quantity: string;
            unit_amount: string;
            /** @description Quantity times unit amount, rounded once. */
            amount: string;
            invoice_id: string | null;
            /** @description The key or the person that made it. */
            created_by: string;
            split_from: string | null;
        };
        /** DeletedInvoiceItem */
        DeletedInvoiceItem: {
            id: string;
            /** @constant */
            object: "invoice_item";
            /** @constant */
            deleted: true;
        };
        /** Transfer */
        Transfer: {
            id: string;
            /** @constant */
            object: "transfer";
            livemode: boolean;
            created_at: string;
            customer_id: string;
            currency: string;
            amount: string;
            reference: string | null;
            paid_at: string;
            /** @description A payment of each invoice, and one in advance of what is left; reversed ones too. */
            payments: components["schemas"]["Payment"][];
        };
        /** MatchedInvoice */
        MatchedInvoice: {
            id: string;
            number: string;
            amount: string;
        };
        /** MatchCandidate */
        MatchCandidate: {
            customer_id: string;
            id: string;
            number: string;
            /** @description What is due. */
            amount: string;
        };
        /** MatchedRow */
        MatchedRow: {
            /** @enum {string} */
            status: "ignored" | "booked" | "matched" | "partial" | "ambiguous" | "unmatched";
            customer_id: string | null;
            /** @description What a transfer of the row would pay of each invoice. */
            invoices: components["schemas"]["MatchedInvoice"][];
            /** @description What a transfer of the row would leave on the balance. */
            to_balance: string;
            transfer_id: string | null;
            candidates: components["schemas"]["MatchCandidate"][];
        };
        /** TransferMatch */
        TransferMatch: {
            /** @constant */
            object: "transfer_match";
            data: components["schemas"]["MatchedRow"][];
        };
        /** CreditNote */
        CreditNote: {
            id: string;
            /** @constant */
            object: "credit_note";
            livemode: boolean;
            created_at: string;
            number: string;
            /** @enum {string} */
            status: "issued" | "void";
            /** @description Whether billing issued it itself. */
            automatic: boolean;
            invoice_id: string;
            invoice_number: string;
            customer_id: string;
            currency: string;
            /** @description The time zone of the subscription, an IANA name: days on the invoice are days of this zone. */
            timezone: string;
            lines: components["schemas"]["CreditNoteLine"][];
            subtotal: string;
            tax: components["schemas"]["Tax"];
            total: string;
            /** @description What it takes off what is due on the invoice. */
            to_invoice: string;
            /** @description What it adds to the customer's balance. */
            to_balance: string;
            /** @description What you pay back outside of Tidemark. */
            outside: string;
            /** @description As the document prints it. */
            reason: string;
            issued_at: string;
            sent_at: string | null;
            created_by: string | null;
            voided_at: string | null;
            void_reason: string | null;
            voided_by: string | null;
            seller: components["schemas"]["Seller"];
            customer: components["schemas"]["BilledCustomer"];
        };
        /** BalanceEntry */
        BalanceEntry: {
            id: string;
            /** @constant */
            object: "balance_entry";
            livemode: boolean;
            created_at: string;
            customer_id: string;
            /**
             * @description `credit_note`: a credit note, or its void. `adjustment`: by hand. `applied`: to an invoice. `returned`: by the void of an invoice. `overpayment`: a payment above what was due, or its reversal. `deposit`: a payment in advance, or its reversal. `unapplied`: no longer applied to an invoice, because the payment that gave it was reversed, or the credit note void.
             * @enum {string}
             */
            type: "credit_note" | "adjustment" | "applied" | "returned" | "overpayment" | "deposit" | "unapplied";
            currency: string;
            /** @description Signed: what it adds to the balance. */
            amount: string;
            reason: string | null;
            invoice_id: string | null;
            credit_note_id: string | null;
            payment_id: string | null;
            created_by: string | null;
        };
        /** JournalSum */
        JournalSum: {
            currency: string;
            /** @enum {string} */
            account: "receivable" | "revenue" | "tax_payable" | "customer_balance" | "cash" | "adjustments";
            debit: string;
            credit: string;
        };
        /** JournalSummary */
        JournalSummary: {
            /** @constant */
            object: "journal_summary";
            from: string;
            to: string;
            /** @description By currency, then in the order of the accounts of an entry; an account that nothing moved is not in it. */
            data: components["schemas"]["JournalSum"][];
        };
        /** JournalDocumentSum */
        JournalDocumentSum: {
            currency: string;
            /** @description Of the documents that print a day of the month. */
            documents: string;
            /** @description Of the documents that the journal has in the month. */
            booked: string;
            /** @description `booked` less `documents`. */
            difference: string;
        };
        /** DifferingDocument */
        DifferingDocument: {
            /** @description An invoice or a credit note. */
            object_id: string;
            number: string;
            currency: string;
            /** @description The total; of a credit note below 0. */
            amount: string;
            /** @description That of the day that it prints, such as 2026-11. */
            printed_month: string;
            /** @description That of its entry, by the time zone of the account. */
            booked_month: string;
        };
        /** JournalDocuments */
        JournalDocuments: {
            /** @constant */
            object: "journal_documents";
            /** @description By currency. */
            data: components["schemas"]["JournalDocumentSum"][];
            /** @description The oldest first, at most 100. */
            differing: components["schemas"]["DifferingDocument"][];
            /** @description Whether more documents differ. */
            has_more: boolean;
        };
        /** ClosedMonth */
        ClosedMonth: {
            /** @constant */
            object: "closed_month";
            /** @description Such as 2026-10. */
            month: string;
            livemode: boolean;
            from: string;
            to: string;
            closed_at: string;
            /** @description The key or the user. */
            closed_by: string;
            /** @description How many entries the file of the journal has. */
            entries: number;
            /** @description SHA-256 of the journal of the month as a CSV file with a header line and the columns at, entry, type, object_id, customer_id, currency, account, debit, credit and paid_at. */
            journal_sha256: string;
            /** @description The trial balance. */
            data: components["schemas"]["JournalSum"][];
        };
        /** ReceivableSum */
        ReceivableSum: {
            currency: string;
            /** @description Not due, or due on the day itself. */
            current: string;
            /** @description Due 1 to 30 days ago. */
            days_1_30: string;
            days_31_60: string;
            days_61_90: string;
            days_over_90: string;
            total: string;
        };
        /** Debtor */
        Debtor: {
            customer_id: string;
            name: string | null;
            currency: string;
            /** @description Not due, or due on the day itself. */
            current: string;
            /** @description Due 1 to 30 days ago. */
            days_1_30: string;
            days_31_60: string;
            days_61_90: string;
            days_over_90: string;
            total: string;
            /** @description The earliest due date of what is owed, such as 2026-01-31. */
            oldest_due_date: string;
            /** @description How many invoices something is owed of. */
            invoices: number;
        };
        /** Receivables */
        Receivables: {
            /** @constant */
            object: "receivables";
            as_of: string | null;
            /** @description That of the account, whose days count. */
            timezone: string;
            /** @description Of all debtors that the filters find, on whatever page, by currency. */
            sums: components["schemas"]["ReceivableSum"][];
            /** @description The most overdue first. */
            data: components["schemas"]["Debtor"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        /** RevenueGroup */
        RevenueGroup: {
            id: string | null;
            name: string | null;
        };
        /** RevenueBucket */
        RevenueBucket: {
            from: string;
            to: string;
            group: components["schemas"]["RevenueGroup"] | null;
            /** @description Flat amounts of the invoices issued. */
            fees: string;
            /** @description Usage of their own periods. */
            usage: string;
            /** @description Usage that arrived after its own invoice. */
            late_usage: string;
            /** @description Invoice items. */
            items: string;
            /** @description Discounts of an amount: below 0. */
            discounts: string;
            /** @description What full periods lacked of the minimums of their plans. */
            minimums: string;
            /** @description Invoices that were voided, whenever they were issued: below 0. */
            voided: string;
            /** @description Credit notes, less those that were voided. */
            credited: string;
            /** @description The sum of these: what the account `revenue` moved. */
            total: string;
            /** @description What the account `tax_payable` moved. */
            tax: string;
            /** @description Number of invoices issued. */
            invoices: number;
            /** @description Number of credit notes issued. */
            credit_notes: number;
        };
        /** Revenue */
        Revenue: {
            /** @constant */
            object: "revenue";
            currency: string;
            /** @description All currencies of the answer’s range and customer, in the order of their codes. */
            currencies: string[];
            timezone: string;
            from: string;
            to: string;
            /** @enum {string} */
            by: "month" | "week" | "day";
            group_by: ("customer" | "plan") | null;
            /** @description In the order of time. Without `group_by` all months, weeks or days of the range, also those in which nothing was booked; with it, of each the groups for which something was: the one of the greatest total in the range first, and last all others as one, whose `id` is null. */
            data: components["schemas"]["RevenueBucket"][];
        };
        /** RecurringRevenueMonth */
        RecurringRevenueMonth: {
            /** @description A month of the time zone of the account, such as 2026-02. */
            month: string;
            /** @description At the end of the month before. */
            before: string;
            /** @description Of customers who have some for the first time. */
            new: string;
            /** @description Of customers who have more. */
            expansion: string;
            /** @description Of customers who have less: below 0. */
            contraction: string;
            /** @description Of customers who have none any more: below 0. */
            churn: string;
            /** @description Of customers who have some again. */
            reactivation: string;
            /** @description At the last instant of the month, or now: the sum of the other amounts. */
            recurring: string;
            /** @description Number of customers who have some then. */
            customers: number;
        };
        /** RecurringRevenue */
        RecurringRevenue: {
            /** @constant */
            object: "recurring_revenue";
            currency: string;
            /** @description All currencies of the answer’s range and customer, in the order of their codes. */
            currencies: string[];
            timezone: string;
            /** @description All months of the range, in order. */
            data: components["schemas"]["RecurringRevenueMonth"][];
        };
        /** RecurringRevenueMovement */
        RecurringRevenueMovement: {
            customer_id: string;
            name: string | null;
            /** @enum {string} */
            type: "new" | "expansion" | "contraction" | "churn" | "reactivation";
            /** @description At the end of the month before. */
            before: string;
            /** @description At the end of the month. */
            after: string;
        };
        /** LineName */
        LineName: {
            /** @enum {string} */
            type: "flat" | "usage" | "late_usage" | "item" | "discount" | "minimum";
            charge_id: string | null;
            price_index: number | null;
            group: components["schemas"]["LineGroup"] | null;
            /** @description Whether the line bills all groups that have no line of their own. */
            others: boolean;
            invoice_item: components["schemas"]["ItemOfLine"] | null;
            discounts: components["schemas"]["DiscountOfLine"][];
            event_name: string | null;
            period_start: string;
            period_end: string;
        };
        /** Change */
        Change: {
            line_item: components["schemas"]["LineName"] | null;
            field: string;
            before: string | null;
            after: string | null;
        };
        /** AddedEvents */
        AddedEvents: {
            charge_id: string;
            price_index: number | null;
            group: components["schemas"]["LineGroup"] | null;
            /** @description Whether the line bills all groups that have no line of their own. */
            others: boolean;
            period_start: string;
            count: number;
            /** @description The newest events, at most 100. */
            event_ids: string[];
        };
        /** RegenerationPreview */
        RegenerationPreview: {
            /** @constant */
            object: "regeneration_preview";
            current: components["schemas"]["Invoice"];
            proposed: components["schemas"]["Invoice"];
            changes: components["schemas"]["Change"][];
            comparison: components["schemas"]["InvoiceComparison"];
            events_added: components["schemas"]["AddedEvents"][];
        };
        /** Regeneration */
        Regeneration: {
            id: string;
            /** @constant */
            object: "regeneration";
            livemode: boolean;
            created_at: string;
            /** @enum {string} */
            status: "pending" | "done" | "refused";
            invoice_id: string;
            new_invoice_id: string | null;
            reason: string | null;
            refusal: string | null;
            details: components["schemas"]["ErrorDetail"][] | null;
            requested_at: string;
            finished_at: string | null;
        };
        /** CreditGrantPreview */
        CreditGrantPreview: {
            /** @constant */
            object: "credit_grant_preview";
            livemode: boolean;
            customer_id: string;
            amount: number;
            expires_at: string | null;
            last_day: string | null;
            /** @description Time zone of the customer. */
            timezone: string;
            rollover: boolean;
            event_names: string[] | null;
            subscription_id: string | null;
            note: string | null;
        };
        /** LedgerEntry */
        LedgerEntry: {
            /** @enum {string} */
            type: "granted" | "drawn" | "returned" | "expired" | "voided";
            /** @description Signed. The sum of all entries is the remaining credit. */
            amount: number;
            invoice_id: string | null;
            line_item_id: string | null;
            created_at: string;
        };
        /** CreditGrant */
        CreditGrant: {
            id: string;
            /** @constant */
            object: "credit_grant";
            livemode: boolean;
            created_at: string;
            customer_id: string;
            amount: number;
            remaining: number;
            /** @enum {string} */
            status: "active" | "depleted" | "expired" | "voided";
            expires_at: string | null;
            rollover: boolean;
            event_names: string[] | null;
            subscription_id: string | null;
            note: string | null;
            carry_over_max: number | null;
            carry_over_until: string | null;
            ledger: components["schemas"]["LedgerEntry"][];
        };
        /** TestClock */
        TestClock: {
            /** @constant */
            object: "test_clock";
            /** @description The customer's `external_id`. */
            customer_id: string;
            now: string;
            invoices: components["schemas"]["Invoice"][];
        };
        /** CustomerChange */
        CustomerChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "customer.created" | "customer.updated" | "customer.redacted" | "customer.deleted";
            /** @constant */
            object_type: "customer";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["Customer"] | components["schemas"]["DeletedCustomer"] | null;
        };
        /** PricingPlanChange */
        PricingPlanChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "pricing_plan.created" | "pricing_plan.updated";
            /** @constant */
            object_type: "pricing_plan";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["PricingPlan"] | null;
        };
        /** PlanMigrationChange */
        PlanMigrationChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "plan_migration.created" | "plan_migration.finished";
            /** @constant */
            object_type: "plan_migration";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["PlanMigration"] | null;
        };
        /** SubscriptionChange */
        SubscriptionChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "subscription.created" | "subscription.started" | "subscription.trial_ended" | "subscription.renewed" | "subscription.updated" | "subscription.canceled" | "subscription.needs_attention" | "subscription.recovered" | "subscription.renewal_coming" | "subscription.trial_ending";
            /** @constant */
            object_type: "subscription";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["Subscription"] | null;
        };
        /** InvoiceChange */
        InvoiceChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "invoice.drafted" | "invoice.issued" | "invoice.paid" | "invoice.updated" | "invoice.overdue" | "invoice.voided" | "invoice.sent";
            /** @constant */
            object_type: "invoice";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["Invoice"] | null;
        };
        /** InvoiceItemChange */
        InvoiceItemChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "invoice_item.created" | "invoice_item.updated" | "invoice_item.deleted";
            /** @constant */
            object_type: "invoice_item";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["InvoiceItem"] | components["schemas"]["DeletedInvoiceItem"] | null;
        };
        /** DiscountChange */
        DiscountChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "discount.created" | "discount.updated";
            /** @constant */
            object_type: "discount";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["Discount"] | null;
        };
        /** PaymentChange */
        PaymentChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "payment.recorded" | "payment.reversed";
            /** @constant */
            object_type: "payment";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["Payment"] | null;
        };
        /** CreditNoteChange */
        CreditNoteChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "credit_note.issued" | "credit_note.voided" | "credit_note.sent";
            /** @constant */
            object_type: "credit_note";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["CreditNote"] | null;
        };
        /** EmailRecipient */
        EmailRecipient: {
            address: string | null;
            /** @enum {string} */
            status: "queued" | "sent" | "refused";
            response: string | null;
        };
        /** EmailAttachment */
        EmailAttachment: {
            filename: string;
            content_type: string;
            bytes: number | null;
            error: string | null;
        };
        /** Email */
        Email: {
            id: string;
            /** @constant */
            object: "email";
            livemode: boolean;
            created_at: string;
            /** @enum {string} */
            kind: "invoice" | "credit_note" | "receipt" | "payment_failed" | "reminder" | "statement";
            customer_id: string;
            /** @description The invoice, the credit note or the payment; of a reminder the customer. */
            object_id: string;
            invoice_ids: string[];
            /** @enum {string} */
            language: "en" | "de" | "fr" | "it" | "es" | "nl";
            to: components["schemas"]["EmailRecipient"][];
            subject: string | null;
            text: string | null;
            attachments: components["schemas"]["EmailAttachment"][];
            message_id: string | null;
            /** @enum {string} */
            status: "queued" | "sent" | "refused" | "failed" | "kept" | "canceled";
            status_reason: string | null;
            send_at: string;
            attempts: number;
            next_attempt_at: string | null;
            sent_at: string | null;
            resend_of: string | null;
            created_by: string | null;
        };
        /** EmailChange */
        EmailChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "email.failed";
            /** @constant */
            object_type: "email";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["Email"] | null;
        };
        /** PaymentAttempt */
        PaymentAttempt: {
            id: string;
            /** @constant */
            object: "payment_attempt";
            livemode: boolean;
            created_at: string;
            invoice_id: string;
            customer_id: string;
            /** @description From 1, of the invoice. */
            number: number;
            /** @description What it is to charge, which follows what is due until it is confirmed; what it has charged. */
            amount: string;
            currency: string;
            payment_method_id: string;
            /** @enum {string} */
            by: "schedule" | "person";
            /** @enum {string} */
            status: "pending" | "processing" | "action_required" | "succeeded" | "declined" | "canceled";
            decline_code: string | null;
            provider_reference: string | null;
            payment_id: string | null;
            ended_at: string | null;
        };
        /** PaymentAttemptChange */
        PaymentAttemptChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "payment_attempt.created" | "payment_attempt.succeeded" | "payment_attempt.failed" | "payment_attempt.action_required";
            /** @constant */
            object_type: "payment_attempt";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["PaymentAttempt"] | null;
        };
        /** PaymentRefund */
        PaymentRefund: {
            id: string;
            /** @constant */
            object: "payment_refund";
            livemode: boolean;
            created_at: string;
            /** @description The payment that it was asked of, or that stood when it was found. */
            payment_id: string;
            invoice_id: string | null;
            customer_id: string;
            credit_note_id: string | null;
            amount: string;
            currency: string;
            reason: string | null;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed";
            provider_reference: string | null;
            created_by: string | null;
            ended_at: string | null;
        };
        /** PaymentRefundChange */
        PaymentRefundChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "payment_refund.created" | "payment_refund.succeeded" | "payment_refund.failed";
            /** @constant */
            object_type: "payment_refund";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["PaymentRefund"] | null;
        };
        /** PaymentDispute */
        PaymentDispute: {
            id: string;
            /** @constant */
            object: "payment_dispute";
            livemode: boolean;
            created_at: string;
            /** @description The payment that stood when it was found. */
            payment_id: string;
            invoice_id: string | null;
            customer_id: string;
            amount: string;
            currency: string;
            /** @description The provider's word, such as `fraudulent`. */
            reason: string;
            /** @enum {string} */
            status: "inquiry" | "open" | "won" | "lost";
            /** @description The dispute at the provider. */
            provider_reference: string;
            ended_at: string | null;
        };
        /** PaymentDisputeChange */
        PaymentDisputeChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "payment_dispute.created" | "payment_dispute.updated" | "payment_dispute.won" | "payment_dispute.lost";
            /** @constant */
            object_type: "payment_dispute";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["PaymentDispute"] | null;
        };
        /** PaymentMethod */
        PaymentMethod: {
            id: string;
            /** @constant */
            object: "payment_method";
            livemode: boolean;
            created_at: string;
            customer_id: string;
            /**
             * @description In the provider's word.
             * @example card
             */
            type: string;
            /**
             * @description Its name for people.
             * @example Visa 4242
             */
            label: string;
            expires: string | null;
            /**
             * @description `failing`: its bank refuses it for good. `removed`: it is gone, here and at the provider.
             * @enum {string}
             */
            status: "active" | "failing" | "removed";
            /** @description Whether its customer is charged with it. */
            is_default: boolean;
        };
        /** PaymentMethodChange */
        PaymentMethodChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "payment_method.created" | "payment_method.updated" | "payment_method.removed";
            /** @constant */
            object_type: "payment_method";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["PaymentMethod"] | null;
        };
        /** PaymentProvider */
        PaymentProvider: {
            id: string;
            /** @constant */
            object: "payment_provider";
            livemode: boolean;
            created_at: string;
            /** @enum {string} */
            kind: "stripe";
            /**
             * @description Its id at the provider.
             * @example acct_1Q2w3E4r5T6y7U8i
             */
            account: string;
            /**
             * @description `failing`: it refuses the key or does not answer. What is asked waits.
             * @enum {string}
             */
            status: "active" | "failing";
            status_reason: string | null;
            /** @description The last characters of the secret key. */
            key_last_four: string;
            /** @description The address to which the provider posts its events. */
            webhook_url: string;
        };
        /** DeletedPaymentProvider */
        DeletedPaymentProvider: {
            id: string;
            /** @constant */
            object: "payment_provider";
            /** @constant */
            deleted: true;
        };
        /** PaymentProviderChange */
        PaymentProviderChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "payment_provider.created" | "payment_provider.updated" | "payment_provider.deleted";
            /** @constant */
            object_type: "payment_provider";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["PaymentProvider"] | components["schemas"]["DeletedPaymentProvider"] | null;
        };
        /** ChangedCreditGrant */
        ChangedCreditGrant: {
            id: string;
            /** @constant */
            object: "credit_grant";
            livemode: boolean;
            created_at: string;
            customer_id: string;
            amount: number;
            remaining: number;
            /** @enum {string} */
            status: "active" | "depleted" | "expired" | "voided";
            expires_at: string | null;
            rollover: boolean;
            event_names: string[] | null;
            subscription_id: string | null;
            note: string | null;
            carry_over_max: number | null;
            carry_over_until: string | null;
        };
        /** CreditGrantChange */
        CreditGrantChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "credit_grant.created" | "credit_grant.updated" | "credit_grant.expiring" | "credit_grant.depleted" | "credit_grant.expired" | "credit_grant.voided";
            /** @constant */
            object_type: "credit_grant";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["ChangedCreditGrant"] | null;
        };
        /** BalanceEntryChange */
        BalanceEntryChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "balance_entry.created";
            /** @constant */
            object_type: "balance_entry";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["BalanceEntry"] | null;
        };
        /** AccountNumber */
        AccountNumber: {
            /** @enum {string} */
            account: "receivable" | "revenue" | "tax_payable" | "customer_balance" | "cash" | "adjustments";
            tax_treatment: ("standard" | "exempt" | "reverse_charge") | null;
            tax_rate: string | null;
            number: string;
            tax_key: string | null;
        };
        /** Datev */
        Datev: {
            consultant: number;
            client: number;
            /** @description The first day of a month, such as 01-01. */
            fiscal_year_start: string;
            /** @description Digits of the numbers of accounts; those of customers have one more. */
            account_length: number;
        };
        /** Account */
        Account: {
            id: string;
            /** @constant */
            object: "account";
            livemode: boolean;
            created_at: string;
            name: string;
            address: components["schemas"]["Address"] | null;
            tax_ids: components["schemas"]["TaxId"][];
            currency: string;
            tax_rate: string;
            timezone: string;
            net_days: number;
            invoice_prefix: string;
            next_invoice_number: number;
            invoice_footer: string | null;
            hide_zero_lines: boolean;
            /** @description Origins of the sites that may frame the page of portal links; the same for test and live data. */
            portal_origins: string[];
            notice_days: {
                renewal: number | null;
                trial_end: number | null;
                credit_expiry: number | null;
            };
            /**
             * @description Of emails to customers without a language of their own.
             * @enum {string}
             */
            language: "en" | "de" | "fr" | "it" | "es" | "nl";
            /** @description The emails that are sent by themselves. */
            email_kinds: ("invoice" | "credit_note" | "receipt" | "payment_failed")[];
            email_reply_to: string | null;
            email_copy_to: string | null;
            email_attach: ("pdf" | "xml")[];
            email_hours: {
                from: number;
                until: number;
            };
            /** @description The only addresses to which emails of test data leave: `ada@acme.com`, `*@acme.com`. */
            email_test_recipients: string[];
            /** @description Days from the due date on which payers are reminded; none: not at all. */
            reminder_days: number[];
            /**
             * @description Of customers without a mode of their own.
             * @enum {string}
             */
            charge_mode: "manual" | "automatic";
            /**
             * @description When an invoice is charged first.
             * @enum {string}
             */
            charge_on: "issue" | "due_date";
            /** @description Days after the first charge on which it is tried again. */
            charge_retry_days: number[];
            account_numbers: components["schemas"]["AccountNumber"][];
            datev: components["schemas"]["Datev"] | null;
            logo_sha256: string | null;
        };
        /** AccountChange */
        AccountChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "account.updated";
            /** @constant */
            object_type: "account";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["Account"] | null;
        };
        /** ChangedApiKey */
        ChangedApiKey: {
            id: string;
            /** @constant */
            object: "api_key";
            livemode: boolean;
            created_at: string;
            name: string;
            /** @enum {string} */
            kind: "full" | "events_only" | "read_only";
            last_four: string;
            expires_at: string | null;
            revoked_at: string | null;
        };
        /** ApiKeyChange */
        ApiKeyChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "api_key.created" | "api_key.revoked";
            /** @constant */
            object_type: "api_key";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["ChangedApiKey"] | null;
        };
        /** WebhookEndpoint */
        WebhookEndpoint: {
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            livemode: boolean;
            created_at: string;
            url: string;
            types: string[] | null;
            description: string | null;
            /**
             * @description `thin`: `data` is null.
             * @enum {string}
             */
            payload: "full" | "thin";
            /**
             * @description `parked`: deliveries stopped by themselves. Resume the endpoint.
             * @enum {string}
             */
            status: "active" | "paused" | "parked";
            status_reason: string | null;
            failing_since: string | null;
            /** @description The number up to which all changes are delivered or skipped. */
            delivered_up_to: number;
            previous_secret_until: string | null;
        };
        /** DeletedWebhookEndpoint */
        DeletedWebhookEndpoint: {
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            /** @constant */
            deleted: true;
        };
        /** WebhookEndpointChange */
        WebhookEndpointChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.paused" | "webhook_endpoint.resumed" | "webhook_endpoint.parked" | "webhook_endpoint.deleted";
            /** @constant */
            object_type: "webhook_endpoint";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["WebhookEndpoint"] | components["schemas"]["DeletedWebhookEndpoint"] | null;
        };
        /** UsageNotice */
        UsageNotice: {
            /** @constant */
            object: "usage_notice";
            customer_id: string | null;
            event_name: string;
            /** @enum {string} */
            status: "unrated" | "late" | "too_late";
            reason: ("no_subscription" | "no_charge" | "filters_do_not_match" | "no_price" | "before_start" | "after_cancellation" | "property_missing" | "property_not_usable" | "invoice_void") | null;
            /** @description Of those that were stored last; the usage report has all. */
            events: number;
            from: string;
            to: string;
        };
        /** UsageChange */
        UsageChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "usage.unrated" | "usage.late";
            /** @constant */
            object_type: "usage";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["UsageNotice"] | null;
        };
        /** FeedRestoration */
        FeedRestoration: {
            /** @constant */
            object: "feed_restoration";
            /** @description The last number that the restored database has. What came after it is gone: read the lists again. */
            last_sequence: number;
        };
        /** FeedRestoredChange */
        FeedRestoredChange: {
            id: string;
            /** @constant */
            object: "change";
            livemode: boolean;
            created_at: string;
            /** @description The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later. */
            sequence: number;
            /** @enum {string} */
            type: "feed.restored";
            /** @constant */
            object_type: "feed";
            object_id: string;
            customer_id: string | null;
            actor: string | null;
            /** @description The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since. */
            data: components["schemas"]["FeedRestoration"] | null;
        };
        /** FeedChange */
        FeedChange: components["schemas"]["CustomerChange"] | components["schemas"]["PricingPlanChange"] | components["schemas"]["PlanMigrationChange"] | components["schemas"]["SubscriptionChange"] | components["schemas"]["InvoiceChange"] | components["schemas"]["InvoiceItemChange"] | components["schemas"]["DiscountChange"] | components["schemas"]["PaymentChange"] | components["schemas"]["CreditNoteChange"] | components["schemas"]["EmailChange"] | components["schemas"]["PaymentAttemptChange"] | components["schemas"]["PaymentRefundChange"] | components["schemas"]["PaymentDisputeChange"] | components["schemas"]["PaymentMethodChange"] | components["schemas"]["PaymentProviderChange"] | components["schemas"]["CreditGrantChange"] | components["schemas"]["BalanceEntryChange"] | components["schemas"]["AccountChange"] | components["schemas"]["ApiKeyChange"] | components["schemas"]["WebhookEndpointChange"] | components["schemas"]["UsageChange"] | components["schemas"]["FeedRestoredChange"];
        /** FeedPage */
        FeedPage: {
            /** @constant */
            object: "list";
            data: components["schemas"]["FeedChange"][];
            has_more: boolean;
            next_after: number;
            /** @description The oldest number that is kept; one above the newest if none is. */
            oldest_sequence: number;
            /** @description 0 before the first change. */
            newest_sequence: number;
        };
        /** PaymentMethodSession */
        PaymentMethodSession: {
            /** @constant */
            object: "payment_method_session";
            /** @example https://checkout.stripe.com/c/pay/cs_test_a1B2c3D4 */
            url: string;
            expires_at: string;
        };
        /** NewWebhookEndpoint */
        NewWebhookEndpoint: {
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            livemode: boolean;
            created_at: string;
            url: string;
            types: string[] | null;
            description: string | null;
            /**
             * @description `thin`: `data` is null.
             * @enum {string}
             */
            payload: "full" | "thin";
            /**
             * @description `parked`: deliveries stopped by themselves. Resume the endpoint.
             * @enum {string}
             */
            status: "active" | "paused" | "parked";
            status_reason: string | null;
            failing_since: string | null;
            /** @description The number up to which all changes are delivered or skipped. */
            delivered_up_to: number;
            previous_secret_until: string | null;
            secret: string | null;
        };
        /** WebhookDelivery */
        WebhookDelivery: {
            id: string;
            /** @constant */
            object: "webhook_delivery";
            livemode: boolean;
            created_at: string;
            endpoint_id: string;
            change_id: string;
            sequence: number | null;
            type: string;
            object_id: string;
            /** @enum {string} */
            status: "pending" | "failing" | "delivered" | "skipped";
            attempts: number;
            response_status: number | null;
            response_body: string | null;
            error: string | null;
            duration_ms: number | null;
            first_attempt_at: string | null;
            last_attempt_at: string | null;
            next_attempt_at: string | null;
        };
        /**
         * WebhookHeaders
         * @description As sent, with the signature. Null if the change is no longer kept.
         */
        WebhookHeaders: {
            [key: string]: string;
        };
        /** WebhookTry */
        WebhookTry: {
            at: string;
            url: string;
            /** @enum {string} */
            payload: "full" | "thin";
            headers: components["schemas"]["WebhookHeaders"] | null;
            response_status: number | null;
            response_body: string | null;
            error: string | null;
            duration_ms: number;
        };
        /** WebhookDeliveryWithTries */
        WebhookDeliveryWithTries: {
            id: string;
            /** @constant */
            object: "webhook_delivery";
            livemode: boolean;
            created_at: string;
            endpoint_id: string;
            change_id: string;
            sequence: number | null;
            type: string;
            object_id: string;
            /** @enum {string} */
            status: "pending" | "failing" | "delivered" | "skipped";
            attempts: number;
            response_status: number | null;
            response_body: string | null;
            error: string | null;
            duration_ms: number | null;
            first_attempt_at: string | null;
            last_attempt_at: string | null;
            next_attempt_at: string | null;
            body: string | null;
            /** @description The 25 newest, newest first. */
            tries: components["schemas"]["WebhookTry"][];
        };
        /** StatementLine */
        StatementLine: {
            invoice_id: string;
            number: string;
            issued_at: string;
            due_date: string;
            total: string;
            amount_due: string;
            /** @description Whole days after the due date, by the day of the customer; 0 up to the due date. */
            days_overdue: number;
            pause_reason: ("disputed" | "promised" | "other") | null;
        };
        /** Statement */
        Statement: {
            /** @constant */
            object: "statement";
            customer_id: string;
            currency: string;
            /** @description The now of the customer. */
            as_of: string;
            /** @description Of all open invoices. */
            amount_due: string;
            /** @description The part of it whose due date is over. */
            overdue_amount: string;
            /** @description Money in advance, which covers the next invoices; it is not taken off. */
            balance: string;
            /** @description Open invoices by due date, the first 1000; the sums are of all. */
            data: components["schemas"]["StatementLine"][];
        };
        /** LastReminder */
        LastReminder: {
            email_id: string;
            /** @enum {string} */
            status: "queued" | "sent" | "refused" | "failed" | "kept" | "canceled";
            send_at: string;
            sent_at: string | null;
        };
        /** CollectionCase */
        CollectionCase: {
            /** @constant */
            object: "collection_case";
            livemode: boolean;
            invoice_id: string;
            number: string;
            customer_id: string;
            customer_name: string | null;
            currency: string;
            total: string;
            amount_due: string;
            due_date: string;
            overdue: boolean;
            /** @description Whole days after the due date, by the day of the customer; 0 up to the due date. */
            days_overdue: number;
            invoice_pause: components["schemas"]["CollectionPause"] | null;
            customer_pause: components["schemas"]["CollectionPause"] | null;
            last_reminder: components["schemas"]["LastReminder"] | null;
        };
        /** EmailText */
        EmailText: {
            /** @constant */
            object: "email_text";
            livemode: boolean;
            /** @enum {string} */
            kind: "invoice" | "credit_note" | "receipt" | "payment_failed" | "reminder" | "statement";
            /** @enum {string} */
            language: "en" | "de" | "fr" | "it" | "es" | "nl";
            subject: string;
            body: string;
            updated_at: string | null;
        };
        /** PaymentSession */
        PaymentSession: {
            id: string;
            /** @constant */
            object: "payment_session";
            livemode: boolean;
            created_at: string;
            invoice_id: string;
            customer_id: string;
            /** @description What is paid there. */
            amount: string;
            currency: string;
            /** @description Whether the method is saved for later charges. */
            save: boolean;
            url: string | null;
            /** @enum {string} */
            status: "open" | "paid" | "expired";
            payment_id: string | null;
            expires_at: string;
        };
        /** NewPortalSession */
        NewPortalSession: {
            id: string;
            /** @constant */
            object: "portal_session";
            livemode: boolean;
            created_at: string;
            customer_id: string;
            expires_at: string;
            revoked_at: string | null;
            created_by: string | null;
            /** @description Whether its customer can save a payment method: a payment provider is connected. */
            saves_payment_methods: boolean;
            logo_sha256: string | null;
            /** @description The link; it is returned only here. */
            url: string;
        };
        /** PortalSession */
        PortalSession: {
            id: string;
            /** @constant */
            object: "portal_session";
            livemode: boolean;
            created_at: string;
            customer_id: string;
            expires_at: string;
            revoked_at: string | null;
            created_by: string | null;
            /** @description Whether its customer can save a payment method: a payment provider is connected. */
            saves_payment_methods: boolean;
            logo_sha256: string | null;
        };
        /** Actor */
        Actor: {
            /** @enum {string} */
            type: "user" | "key" | "command_line" | "signal" | "system" | "portal_session";
            id: string | null;
            name: string | null;
        };
        /**
         * AuditMembers
         * @description The members that changed, without others. Personal ones of a customer are `[personal]`.
         */
        AuditMembers: {
            [key: string]: unknown;
        };
        /** AuditEntry */
        AuditEntry: {
            id: string;
            /** @constant */
            object: "audit_entry";
            livemode: boolean | null;
            /** @enum {string} */
            action: "customer.created" | "customer.updated" | "customer.deleted" | "customer.redacted" | "customer.collection_paused" | "customer.collection_resumed" | "pricing_plan.created" | "pricing_plan.updated" | "plan_migration.created" | "plan_migration.finished" | "subscription.created" | "subscription.updated" | "subscription.canceled" | "subscription.woken" | "invoice.issued" | "invoice.voided" | "invoice.collection_paused" | "invoice.collection_resumed" | "transfer.recorded" | "payment.recorded" | "payment.reversed" | "credit_note.issued" | "credit_note.voided" | "balance_entry.created" | "month.closed" | "month.opened" | "invoice_item.created" | "invoice_item.deleted" | "discount.created" | "discount.updated" | "credit_grant.created" | "credit_grant.voided" | "test_clock.advanced" | "account.updated" | "api_key.created" | "api_key.revoked" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.deleted" | "user.invited" | "user.updated" | "user.removed" | "session.created" | "session.revoked" | "passkey.created" | "passkey.removed" | "portal_session.created" | "portal_session.revoked" | "email.created" | "email.canceled" | "email_text.updated" | "email_text.deleted" | "payment_attempt.created" | "payment_method.updated" | "payment_method_session.created" | "payment_provider.created" | "payment_provider.updated" | "payment_provider.deleted" | "payment_session.created" | "payment_refund.created";
            object_type: string;
            object_id: string;
            customer_id: string | null;
            invoice_id: string | null;
            actor: components["schemas"]["Actor"];
            before: components["schemas"]["AuditMembers"] | null;
            after: components["schemas"]["AuditMembers"] | null;
            reason: string | null;
            request_id: string | null;
            address: string | null;
            created_at: string;
        };
        /** DashboardUser */
        DashboardUser: {
            id: string;
            email: string | null;
            name: string;
            /** @enum {string} */
            role: "viewer" | "support" | "finance" | "admin";
        };
        /** DashboardAccount */
        DashboardAccount: {
            name: string;
            currency: string;
            timezone: string;
        };
        /** WorkflowList */
        WorkflowList: {
            name: string;
            query: string;
        };
        /** Dashboard */
        Dashboard: {
            /** @constant */
            object: "dashboard";
            session_id: string;
            user: components["schemas"]["DashboardUser"];
            /** @description Ids of the operations that the role of the user may use. */
            may: string[];
            /** @description Names of those to ask for what the role may not do: at most 3 active admins. */
            admins: string[];
            account: components["schemas"]["DashboardAccount"];
            temporal_ui_url: string | null;
            temporal_namespace: string;
            /** @description Filters of the Temporal UI's list. */
            workflow_lists: components["schemas"]["WorkflowList"][];
        };
        /** EndedSession */
        EndedSession: {
            id: string;
            /** @constant */
            object: "ended_session";
        };
        /** SessionUser */
        SessionUser: {
            id: string;
            name: string;
        };
        /** Session */
        Session: {
            id: string;
            /** @constant */
            object: "session";
            user: components["schemas"]["SessionUser"];
            browser: string | null;
            user_agent: string | null;
            address: string | null;
            created_at: string;
            last_used_at: string | null;
            expires_at: string;
            is_current: boolean;
        };
        /** Passkey */
        Passkey: {
            id: string;
            /** @constant */
            object: "passkey";
            name: string;
            created_at: string;
            last_used_at: string | null;
        };
        /** PasskeyOptions */
        PasskeyOptions: {
            options: {
                [key: string]: unknown;
            };
        };
        /** User */
        User: {
            id: string;
            /** @constant */
            object: "user";
            email: string | null;
            name: string;
            /** @enum {string} */
            role: "viewer" | "support" | "finance" | "admin";
            /** @enum {string} */
            role_from: "admin" | "provider";
            /** @enum {string} */
            status: "invited" | "active" | "removed";
            created_at: string;
        };
        /** InvitedUser */
        InvitedUser: {
            id: string;
            /** @constant */
            object: "user";
            email: string | null;
            name: string;
            /** @enum {string} */
            role: "viewer" | "support" | "finance" | "admin";
            /** @enum {string} */
            role_from: "admin" | "provider";
            /** @enum {string} */
            status: "invited" | "active" | "removed";
            created_at: string;
            /** @description The link that signs the person in, once; it is returned only here. */
            invite_url: string;
            invite_expires_at: string;
        };
        /** FirstSteps */
        FirstSteps: {
            key: boolean;
            customer: boolean;
            plan: boolean;
            subscription: boolean;
            event: boolean;
            /** @description Whether it lacks nothing. */
            seller: boolean;
            /** @description Whether two people, invited ones too, have the role finance or admin. */
            finance: boolean;
            invoice: boolean;
        };
        /** EventsOfDay */
        EventsOfDay: {
            day: string;
            count: string;
        };
        /** Attention */
        Attention: {
            subscription_id: string;
            customer_id: string;
            reason: string;
        };
        /** ItemWithoutInvoice */
        ItemWithoutInvoice: {
            id: string;
            customer_id: string;
            description: string;
            amount: string;
            currency: string;
        };
        /** StoppedEmails */
        StoppedEmails: {
            refused_at: string;
            /** @description Words of the mail server, which refuses the login. */
            refusal: string;
        };
        /** EmailTroubles */
        EmailTroubles: {
            stopped: components["schemas"]["StoppedEmails"] | null;
            /** @description Emails of four days that were refused or failed. */
            undelivered: number;
        };
        /** RefundTrouble */
        RefundTrouble: {
            id: string;
            /**
             * @description A refund or a dispute that cannot be booked, or a refund of a credit note that has failed.
             * @enum {string}
             */
            kind: "refund" | "dispute" | "note";
            customer_id: string;
            invoice_id: string | null;
            amount: string;
            currency: string;
            created_at: string;
            fault: string | null;
        };
        /** ReceivedTwice */
        ReceivedTwice: {
            payment_id: string;
            customer_id: string;
            invoice_id: string | null;
            /** @description What went to the balance. */
            amount: string;
            currency: string;
            created_at: string;
        };
        /** PaymentTroubles */
        PaymentTroubles: {
            provider_fault: string | null;
            /** @description Charges of 30 days whose money went to the balance, while the customer has one: the 20 newest. */
            received_twice: components["schemas"]["ReceivedTwice"][];
        };
        /** CustomerSetAside */
        CustomerSetAside: {
            customer_id: string;
            /** @enum {string} */
            job: "rollup" | "expired_credit" | "usage_report";
            /** @description In words for people. The error itself is in the output of `tidemark doctor`. */
            reason: string;
            failed_at: string;
        };
        /** SetAside */
        SetAside: {
            /** @description All of them, each once; a customer is in the list for each job that fails for it. */
            customers: number;
            data: components["schemas"]["CustomerSetAside"][];
        };
        /** Home */
        Home: {
            /** @constant */
            object: "home";
            numbering_halt: string | null;
            steps: components["schemas"]["FirstSteps"];
            /** @description Members of the account that are still to be set. */
            seller_lacks: ("name" | "address" | "tax_ids")[];
            /** @description Of 30 days, oldest first. */
            events_by_day: components["schemas"]["EventsOfDay"][];
            /** @description Events of the days after today (UTC): in test data, of test clocks that are ahead. */
            events_ahead: string;
            /** @description A greater share of unrated events, of those of 30 days, raises an alarm. */
            unrated_alarm_percent: number;
            attention: components["schemas"]["Attention"][];
            /** @description Pending items of subscriptions that have ended, so that no invoice follows: the 20 newest. */
            items_without_invoice: components["schemas"]["ItemWithoutInvoice"][];
            /** @description Endpoints that are parked or whose deliveries fail: at most 20, for admins alone. */
            webhook_endpoints: components["schemas"]["WebhookEndpoint"][];
            /** @description Age of the oldest change that has no number yet, where it is above 10; else 0. */
            changes_late_seconds: number;
            emails: components["schemas"]["EmailTroubles"];
            /** @description Refunds and disputes that a person has to look at: the 20 newest. */
            refunds: components["schemas"]["RefundTrouble"][];
            payments: components["schemas"]["PaymentTroubles"];
            set_aside: components["schemas"]["SetAside"];
        };
        /** EventStatuses */
        EventStatuses: {
            /** @constant */
            object: "event_statuses";
            from: string;
            to: string;
            /** @description All events of the range in this group: the sum of the other counts. */
            accepted: number;
            /** @description Events that will be billed or are on a draft. */
            pending: number;
            billed: number;
            /** @description Events that arrived after their period was billed; they are on the next invoice. */
            late: number;
            /** @description Late events that only `regenerate` can bill. */
            too_late: number;
            trial: number;
            /** @description Events that no charge counts. */
            unrated: number;
        };
        /** Start */
        Start: {
            /** @constant */
            object: "start";
            steps: components["schemas"]["FirstSteps"];
            /** @description Members of the account that are still to be set. */
            seller_lacks: ("name" | "address" | "tax_ids")[];
            /** @description Whether any invoice has been issued. */
            has_issued: boolean;
        };
        /** OwedByCustomer */
        OwedByCustomer: {
            currency: string;
            total: string;
            overdue: string;
        };
        /** CustomerFigures */
        CustomerFigures: {
            id: string;
            owed: components["schemas"]["OwedByCustomer"] | null;
            plan_ids: string[];
        };
        /** CustomerFigureList */
        CustomerFigureList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["CustomerFigures"][];
        };
        /** ItemsWithoutInvoice */
        ItemsWithoutInvoice: {
            /** @constant */
            object: "items_without_invoice";
            data: components["schemas"]["ItemWithoutInvoice"][];
        };
        /** KeyMaker */
        KeyMaker: {
            /** @enum {string} */
            type: "user" | "command_line";
            id: string | null;
            name: string;
        };
        /** NewApiKey */
        NewApiKey: {
            id: string;
            /** @constant */
            object: "api_key";
            livemode: boolean;
            created_at: string;
            name: string;
            /** @enum {string} */
            kind: "full" | "events_only" | "read_only";
            last_four: string;
            expires_at: string | null;
            revoked_at: string | null;
            last_used_at: string | null;
            created_by: components["schemas"]["KeyMaker"] | null;
            is_of_removed_user: boolean;
            /** @description The complete key; it is returned only once. */
            secret: string;
        };
        /** ApiKey */
        ApiKey: {
            id: string;
            /** @constant */
            object: "api_key";
            livemode: boolean;
            created_at: string;
            name: string;
            /** @enum {string} */
            kind: "full" | "events_only" | "read_only";
            last_four: string;
            expires_at: string | null;
            revoked_at: string | null;
            last_used_at: string | null;
            created_by: components["schemas"]["KeyMaker"] | null;
            is_of_removed_user: boolean;
        };
        /** Names */
        Names: {
            /** @constant */
            object: "names";
            /** @description Without the ids that nothing has, or nothing with a name. */
            customers: {
                [key: string]: string;
            };
            /** @description Without the ids that nothing has, or nothing with a name. */
            ids: {
                [key: string]: string;
            };
        };
        /** Price */
        Price: {
            quantity: string;
            billable_quantity: string;
            amount: string;
            tiers: components["schemas"]["PricedTier"][] | null;
        };
        /** Prices */
        Prices: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Price"][];
        };
        /** TestClocks */
        TestClocks: {
            /** @constant */
            object: "test_clocks";
            /** @description Without the customers that live in real time. */
            clocks: {
                [key: string]: string;
            };
        };
        /** UnratedName */
        UnratedName: {
            event_name: string;
            events: number;
            /** @description Customers of the latest of these events, at most 3. */
            customer_ids: string[];
        };
        /** Unrated */
        Unrated: {
            /** @constant */
            object: "unrated";
            data: components["schemas"]["UnratedName"][];
        };
        /**
         * ChangeType
         * @enum {string}
         */
        ChangeType: "customer.created" | "customer.updated" | "customer.redacted" | "customer.deleted" | "pricing_plan.created" | "pricing_plan.updated" | "plan_migration.created" | "plan_migration.finished" | "subscription.created" | "subscription.started" | "subscription.trial_ended" | "subscription.renewed" | "subscription.updated" | "subscription.canceled" | "subscription.needs_attention" | "subscription.recovered" | "subscription.renewal_coming" | "subscription.trial_ending" | "invoice.drafted" | "invoice.issued" | "invoice.paid" | "invoice.updated" | "invoice.overdue" | "invoice.voided" | "invoice.sent" | "invoice_item.created" | "invoice_item.updated" | "invoice_item.deleted" | "discount.created" | "discount.updated" | "payment.recorded" | "payment.reversed" | "credit_note.issued" | "credit_note.voided" | "credit_note.sent" | "email.failed" | "payment_attempt.created" | "payment_attempt.succeeded" | "payment_attempt.failed" | "payment_attempt.action_required" | "payment_refund.created" | "payment_refund.succeeded" | "payment_refund.failed" | "payment_dispute.created" | "payment_dispute.updated" | "payment_dispute.won" | "payment_dispute.lost" | "payment_method.created" | "payment_method.updated" | "payment_method.removed" | "payment_provider.created" | "payment_provider.updated" | "payment_provider.deleted" | "credit_grant.created" | "credit_grant.updated" | "credit_grant.expiring" | "credit_grant.depleted" | "credit_grant.expired" | "credit_grant.voided" | "balance_entry.created" | "account.updated" | "api_key.created" | "api_key.revoked" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.paused" | "webhook_endpoint.resumed" | "webhook_endpoint.parked" | "webhook_endpoint.deleted" | "usage.unrated" | "usage.late" | "feed.restored";
        /** ErrorContent */
        ErrorContent: {
            /** @enum {string} */
            code: "invalid_request" | "unauthorized" | "not_found" | "conflict" | "rate_limited" | "internal_error";
            message: string;
            param: string | null;
            details: components["schemas"]["ErrorDetail"][];
            request_id: string;
        };
        /** Error */
        Error: {
            error: components["schemas"]["ErrorContent"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
