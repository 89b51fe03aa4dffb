/** Requests and objects of /v1, generated from docs/openapi.json: test/api/http/openapi.test.ts writes this file anew. */
export interface paths {
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events, newest timestamp first
         * @description With the filter `idempotency_key`, the event includes `billing`, as in `/v1/events/{id}`. The filter `billing_status` lists events as `/v1/usage-report` counts them: an event of several charges has one status.
         */
        get: operations["listEvents"];
        put?: never;
        /**
         * Ingest a single event
         * @description If you send the same event again, the response is the stored event. A different event with the same key is a 409. `timestamp` may be any time in the past, and at most 24 hours in the future. The default is the current time.
         */
        post: operations["createEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ingest up to 1,000 events: all events are stored, or none
         * @description If one event is invalid, no event is stored, and `details` lists all invalid events. Events that were stored earlier count as duplicates.
         */
        post: operations["createEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an event with its billing status */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage-report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count events by billing status, for at most 31 days
         * @description By day, event name or customer. A range of whole days (UTC) is read from daily counts, however many events it has; of a day that it cuts, the events are read.
         */
        get: operations["getUsageReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Customers, newest first */
        get: operations["listCustomers"];
        put?: never;
        /** Create a customer, or return the existing customer if all fields sent are equal */
        post: operations["createCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a customer by id or external_id */
        get: operations["getCustomer"];
        put?: never;
        post?: never;
        /**
         * Delete a customer of which nothing else is stored
         * @description A customer with subscriptions, events, credit grants, invoices, invoice items or balance entries is not deleted: 409, and `details` has a `reason` for each, such as `has_events`. Its `external_id` may be used again.
         */
        delete: operations["deleteCustomer"];
        options?: never;
        head?: never;
        /** Update a customer by a JSON merge patch: null removes a value, metadata is merged */
        patch: operations["updateCustomer"];
        trace?: never;
    };
    "/v1/customers/{id}/redact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a person: blank the customer, and remove properties from its events
         * @description Blanks `name`, `email`, `billing_emails`, `address`, `tax_ids`, `buyer_reference` and `metadata`, the references of payments, the reasons of balance entries, reversals, voids and regenerations, and the descriptions of invoice items, which become `Item`. The named properties are removed from the events that are stored by then: `redaction.events` is `pending` until that is done. A property that a charge of one of the subscriptions reads, also an ended one, is 409 `property_in_use`. `redaction.kept` says what stays. Nothing can be undone.
         */
        post: operations["redactCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A customer's usage for each charge of its subscriptions; by default, of the last 30 days and of future timestamps */
        get: operations["listCustomerUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/usage.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A customer's usage as a CSV file, with the filters and the order of the list */
        get: operations["exportCustomerUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pricing-plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Plans, newest first; custom plans of a customer alone */
        get: operations["listPricingPlans"];
        put?: never;
        /**
         * Create a plan, the next version of a plan, or a custom plan; none is changed later
         * @description With a `key` that plans have, the plan is the next version, in the same currency. A key names its newest version wherever a plan is chosen; subscriptions keep the version that they have. With `based_on`, `customer_id` and `overrides` it is a custom plan: the base with other prices, for this customer alone.
         */
        post: operations["createPricingPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pricing-plans/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Compare a plan with the newest version of its key, or a custom plan with its base; nothing is stored */
        post: operations["previewPricingPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pricing-plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a plan with its charges and tiers */
        get: operations["getPricingPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pricing-plans/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a plan: no subscription begins with it or changes to it any more
         * @description Subscriptions that have the plan, or will change to it, keep it. While the newest version of a key is archived, the key is refused too.
         */
        post: operations["archivePricingPlan"];
        /** Take back the archiving of a plan */
        delete: operations["unarchivePricingPlan"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Subscriptions, newest first */
        get: operations["listSubscriptions"];
        put?: never;
        /** Subscribe a customer to a plan and start the billing cycle */
        post: operations["createSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a subscription */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the usage at which the open part of a period is billed before its end; null takes it away
         * @description The part is billed as by `close_now`, once its metered lines come to `bill_at`. It is at least an hour old then.
         */
        patch: operations["updateSubscription"];
        trace?: never;
    };
    "/v1/subscriptions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a subscription now, at the end of its current period, or at another time
         * @description The period ends at `at`, at most 366 days back; later usage is not billed, and what was billed after the end is credited. A later call replaces the end, also by a later one. A change of plan at the end or after it is dropped.
         */
        post: operations["cancelSubscription"];
        /**
         * Take back the cancellation that is scheduled
         * @description The open period has its boundary again. A subscription that has ended is not taken back: create a new one.
         */
        delete: operations["takeBackCancel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the plan of a subscription
         * @description The period ends at `at` and is billed by the old plan; the new plan begins a period of its own there. At the very start of a period, in a trial and before the start the plan is exchanged, and nothing ends. At most one change is scheduled: the next one replaces it.
         */
        post: operations["changePlan"];
        /**
         * Take back the change of plan that is scheduled
         * @description The open period has its boundary again. A change that has come is not taken back: change the plan once more.
         */
        delete: operations["takeBackChange"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}/periods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The periods of a subscription, newest first */
        get: operations["listPeriods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}/wake": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry the billing of a subscription that needs attention
         * @description Clears `attention` at once; if billing fails again, `attention` is set again. Has no effect on other subscriptions.
         */
        post: operations["wakeSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}/trial": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extend, shorten, add or end the trial of a subscription that is not billed yet
         * @description Billing begins at `ends_at`. A cancellation and a change of plan that are scheduled keep their instants.
         */
        post: operations["changeTrial"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}/quantities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change quantities of a subscription, such as its seats
         * @description The quantities hold from `at` on, and no period ends. A higher quantity of a fee in advance is on the invoice that closes the full period, or on an opening as the instant comes; a lower one is a credit note then. Until billing begins, they are those with which it begins.
         */
        post: operations["changeQuantities"];
        /**
         * Take back the quantities that are scheduled for an instant
         * @description Quantities that have come are not taken back: change them once more.
         */
        delete: operations["takeBackQuantities"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/plan-migrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Plan migrations, newest first */
        get: operations["listPlanMigrations"];
        put?: never;
        /**
         * Move the subscribers of a plan to another plan
         * @description Each subscription that has the plan now, or a custom plan based on it, and has not ended, changes as by `/v1/subscriptions/{id}/change`, one after the other. It is skipped where another change is scheduled, or an end at `at` or before it, or, without `custom`, where it has a custom plan. One that is refused has failed, and stops no other.
         */
        post: operations["createPlanMigration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/plan-migrations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a plan migration with its progress */
        get: operations["getPlanMigration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/plan-migrations/{id}/outcomes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Outcomes of a plan migration, the newest subscription first */
        get: operations["listPlanMigrationOutcomes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/plan-migrations/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a plan migration
         * @description After the response nothing more changes; what is changed stays. To go on, create the same migration again.
         */
        post: operations["stopPlanMigration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/plan-migrations/{id}/take-back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take back the changes of a plan migration that are still scheduled
         * @description Stops the migration, at any time. `taken_back` counts what is taken back, until `finished_at`. A change that has come stays, as does one that another change has replaced.
         */
        post: operations["takeBackPlanMigration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Discounts, newest first */
        get: operations["listDiscounts"];
        put?: never;
        /**
         * Take a percent off the lines of a customer, or an amount off its full periods
         * @description It holds for every full period that begins before `until` and ends after `from`, for all of it. The first issued line of a charge and full period decides its percents, so a discount is on the next invoice. Drafts that are held show it at once. A subscription has at most 5 that have not ended, a customer 200 in all.
         */
        post: operations["createDiscount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a discount */
        get: operations["getDiscount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/discounts/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a discount, or put its end earlier
         * @description It holds for the full period in which it ends. An end at its start is allowed: it then never holds. What was billed stays.
         */
        post: operations["endDiscount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}/upcoming-invoice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Preview the invoice of the current period; nothing is stored */
        get: operations["getUpcomingInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Invoices, newest first
         * @description `from` and `to` filter by the end of the period, `issued_from` and `issued_to` by the time of issue, which drafts do not have. `from` values are inclusive, `to` values are exclusive. A month goes by the days that each invoice prints, in its own time zone: an invoice of October in Los Angeles is in `2026-10`, whatever the month in UTC.
         */
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count and add up invoices by status and currency
         * @description Takes the filters of the list.
         */
        get: operations["getInvoiceSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an invoice with its line items, amounts, tax and payment status */
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an invoice as a PDF document */
        get: operations["getInvoicePdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an issued invoice as an e-invoice: UBL 2.1 in the profile EN 16931
         * @description The status is 409 for a draft, for a void invoice, and if seller, customer or currency lack what the profile requires: `details` then names each field, such as `seller.tax_ids`.
         */
        get: operations["getInvoiceXml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/finalize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the hold of a draft and issue the invoice now */
        post: operations["finalizeInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/comparison": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare an invoice with an earlier one, line by line
         * @description A line is all that is billed for one event name, aggregation, filters, price and group, late usage too, whatever the plan. Its causes say how much of the difference comes from usage, price, credit, parts of periods and late usage.
         */
        get: operations["getInvoiceComparison"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}/upcoming-invoice/comparison": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare the next invoice, as it would be now, with an earlier one
         * @description A line is all that is billed for one event name, aggregation, filters, price and group, late usage too, whatever the plan. Its causes say how much of the difference comes from usage, price, credit, parts of periods and late usage.
         */
        get: operations["getUpcomingInvoiceComparison"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Invoices as a CSV file, newest first
         * @description Takes the filters of the list. Line items and payments have files of their own. `day` is the day on which it was booked, in the time zone of the account.
         */
        get: operations["exportInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/line-items.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Line items as a CSV file, those of the newest invoice first
         * @description Takes the filters of the list of invoices.
         */
        get: operations["exportLineItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoice-items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Invoice items, newest first */
        get: operations["listInvoiceItems"];
        put?: never;
        /**
         * Put an amount on the next invoice, such as a setup fee, or a rebate below zero
         * @description The next invoice of the subscription takes it, and a draft that is held takes it at once. It stands behind the lines of the plan and is taxed like them; credit does not cover it. One below zero waits while it would take the subtotal below zero. At most 200 items of a subscription are pending.
         */
        post: operations["createInvoiceItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoice-items/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an invoice item */
        get: operations["getInvoiceItem"];
        put?: never;
        post?: never;
        /**
         * Delete a pending invoice item
         * @description A draft that has it is priced again without it. An item on an issued invoice is not deleted.
         */
        delete: operations["deleteInvoiceItem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record that all that is due on an open invoice is paid
         * @description `paid_at` must be between 366 days before the issue and the customer's current time. The default is the customer's current time.
         */
        post: operations["payInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record a payment of an invoice, in full or in part
         * @description The invoice is paid once nothing is due. A payment of an invoice that is paid needs an `amount` and `excess: "balance"`, and all of it goes to the balance. `paid_at` must be between 366 days before the issue and the customer's current time. The default is the customer's current time.
         */
        post: operations["createPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/payments/{payment_id}/reverse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reverse a payment of an invoice: its amount is due again
         * @description For a payment that the bank took back, or that was recorded by mistake. What it gave to the balance is taken back from there. What the balance lacks is due again on the invoices that it covers, the one that it covered last first; 409 with the reason `paid_out` if they have too little, too.
         */
        post: operations["reversePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Payments, newest first
         * @description `from` and `to`, or `month`, bound `paid_at`.
         */
        get: operations["listPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Payments as a CSV file, newest first
         * @description `from` and `to`, or `month`, bound `paid_at`. `day` is the day on which it was booked, in the time zone of the account.
         */
        get: operations["exportPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a payment */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the receipt of a payment as a PDF document
         * @description Of a reversed payment it says so in a band. It does not print `reference`.
         */
        get: operations["getPaymentPdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record a payment in advance: all of it goes to the balance of the customer
         * @description It needs neither an invoice nor a subscription. The next invoice takes from the balance when it is issued. `paid_at` must be in the 366 days before the customer's current time, which is the default.
         */
        post: operations["createDeposit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/reverse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reverse a payment, of an invoice or in advance
         * @description For a payment that the bank took back, or that was recorded by mistake. What it gave to the balance is taken back from there. What the balance lacks is due again on the invoices that it covers, the one that it covered last first; 409 with the reason `paid_out` if they have too little, too.
         */
        post: operations["reversePaymentById"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Transfers, newest first */
        get: operations["listTransfers"];
        put?: never;
        /**
         * Record what a customer paid at once for several invoices
         * @description All or nothing: a payment of each invoice, by default of all that is due, and one in advance of what is left. The payments have `transfer_id`. `paid_at` must be between 366 days before the issue of each invoice and the customer's current time, which is the default.
         */
        post: operations["createTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a transfer */
        get: operations["getTransfer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/{id}/reverse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reverse a transfer: all its payments that stand, or none
         * @description What it paid is due again, and what it gave to the balance is taken back, as for the reversal of a payment: 409 with the reason `paid_out` where that is gone.
         */
        post: operations["reverseTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/match": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the invoices that rows of a bank's file pay; nothing is stored
         * @description A row is `ignored` unless it is above 0, `booked` if its reference, amount and day stand, and `matched` if its reference has the numbers of open invoices of one customer, all of which it pays. `partial`: one invoice, of which more is due. `ambiguous`: the numbers are of two customers, or of several invoices for which the amount is too little: `candidates` has them. Else `unmatched`: `candidates` has up to five open invoices of that amount, first those of customers with that name.
         */
        post: operations["matchTransfers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/credit-notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Credit lines of an open or paid invoice, in full or in part
         * @description Reduces first what is due on the invoice. What was paid goes to the balance of the customer, or is marked as paid back outside. The tax is that of all that is credited of the invoice, rounded once, less the tax of the credit notes before. A credit note takes back money only: usage that is corrected later comes off as well.
         */
        post: operations["createCreditNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credit-notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Credit notes, newest first
         * @description `from` and `to` bound `issued_at`. `issued_month` goes by the day that each credit note prints, in its own time zone.
         */
        get: operations["listCreditNotes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credit-notes.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Credit notes as a CSV file, newest first
         * @description `from` and `to` bound `issued_at`. `issued_month` goes by the day that each credit note prints, in its own time zone. `day` is the day on which it was booked, in the time zone of the account.
         */
        get: operations["exportCreditNotes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credit-notes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a credit note */
        get: operations["getCreditNote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credit-notes/{id}.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a credit note as a PDF document */
        get: operations["getCreditNotePdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credit-notes/{id}.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a credit note as an e-invoice: UBL 2.1 in the profile EN 16931
         * @description A void credit note has none. 409 names each field of seller and customer that the standard requires.
         */
        get: operations["getCreditNoteXml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credit-notes/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void a credit note that was issued by mistake
         * @description What it took off its invoice is due again. What it added to the balance of the customer is taken back from there. What the balance lacks is due again on the invoices that it covers, the one that it covered last first; 409 with the reason `paid_out` if they have too little, too.
         */
        post: operations["voidCreditNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/balance-adjustments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add to a customer's balance, or take from it by a negative amount
         * @description A payout to the customer is a negative adjustment. The balance is never below 0.
         */
        post: operations["createBalanceAdjustment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/balance-entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The movements of a customer's balance, newest first */
        get: operations["listBalanceEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/balance-entries.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The movements of a customer's balance as a CSV file, newest first */
        get: operations["exportBalanceEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/balance-entries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a movement of a customer's balance */
        get: operations["getBalanceEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/apply-balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cover an open invoice from the customer's balance
         * @description A new invoice takes from the balance when it is issued. This is for invoices that were open before.
         */
        post: operations["applyBalance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journal.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Double entry for what was recorded in a range, as a CSV file, oldest first, or as a file for DATEV
         * @description The lines of one `entry` add up to equal debits and credits. `paid_at` is the date of a payment. `day` is the day on which it was booked, in the time zone of the account. An entry is booked when it is recorded, `at`, so that a closed month does not change. `from` is inclusive, `to` is exclusive; both are required without `month`.
         */
        get: operations["exportJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journal/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Add up the journal of a range by currency and account: the trial balance of a month
         * @description Debits and credits of a currency are equal. An entry is booked when it is recorded, `at`, so that a closed month does not change. `from` is inclusive, `to` is exclusive; both are required without `month`.
         */
        get: operations["getJournalSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journal/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare the documents of a month with the journal
         * @description A document prints a day of its own time zone, and is booked by that of the account: an invoice of 1 November in Tokyo may be booked on 31 October. Totals of invoices less those of credit notes, void or not, and the documents that are in another month.
         */
        get: operations["getJournalDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/closed-months": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Months whose books are closed, the latest first */
        get: operations["listClosedMonths"];
        put?: never;
        /**
         * Close the books of a month
         * @description Keeps the trial balance and a hash of the journal. Invoices and credit notes that were issued in the month are then neither voided nor regenerated: 409 with the reason `month_closed`. Everything else is booked on its own day. Possible from an hour after the end of the month on, in test data at any time.
         */
        post: operations["closeMonth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/closed-months/{month}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a month whose books are closed */
        get: operations["getClosedMonth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/closed-months/{month}/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open the books of a closed month again
         * @description The response is the month as it was closed. The audit log keeps the reason.
         */
        post: operations["openMonth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/closed-months/{month}/archive.zip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything of a closed month as a ZIP archive
         * @description `journal.csv`, `trial-balance.csv`, `receivables.csv` at the end of the month, the invoices and credit notes that were issued in it as PDF and, where there is one, as e-invoice, and `index.csv` with `path`, `bytes` and `sha256` of each file. It is made while it is sent.
         */
        get: operations["exportClosedMonth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receivables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Debtors, and sums by the days since they were due, now or on a day
         * @description What was booked up to the end of the day: a payment counts from the day on which it was recorded, whatever its `paid_at`. The sums are the account `receivable` of the journal; balances are not taken off.
         */
        get: operations["getReceivables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receivables.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Debtors as a CSV file, the most overdue first
         * @description What was booked up to the end of the day: a payment counts from the day on which it was recorded, whatever its `paid_at`. The sums are the account `receivable` of the journal; balances are not taken off.
         */
        get: operations["exportReceivables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/revenue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Add up revenue by month, week or day, and by customer or plan
         * @description Everything is in the part of the range in which it was booked (`/v1/journal/summary`), by the day in the time zone of the account: an invoice at its issue, a void invoice below 0 when it was voided. At most 400 parts.
         */
        get: operations["getRevenue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/revenue.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Revenue by month, week or day as a CSV file
         * @description Everything is in the part of the range in which it was booked (`/v1/journal/summary`), by the day in the time zone of the account: an invoice at its issue, a void invoice below 0 when it was voided. At most 400 parts. With `group_by`, all groups of a part are in the order of their ids.
         */
        get: operations["exportRevenue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recurring-revenue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recurring revenue at the end of each month, and how it moved
         * @description The flat charges of the plan of each subscription, as an amount a month: of a year a twelfth, of weeks and days by a year of 365 days. Nothing before billing begins and after the end; no usage, items or tax. A correction into the past moves past months. `from` and `to` are first days of months; months to come exist only in test data.
         */
        get: operations["getRecurringRevenue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recurring-revenue.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recurring revenue of each month as a CSV file
         * @description The flat charges of the plan of each subscription, as an amount a month: of a year a twelfth, of weeks and days by a year of 365 days. Nothing before billing begins and after the end; no usage, items or tax. A correction into the past moves past months. `from` and `to` are first days of months; months to come exist only in test data.
         */
        get: operations["exportRecurringRevenue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recurring-revenue/movements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Customers whose recurring revenue moved in a month, the greatest movement first
         * @description A movement is from the end of the month before to the end of the month; what happens in between is none.
         */
        get: operations["listRecurringRevenueMovements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bill ended periods that have no invoice or only void invoices, at most 50 periods per call */
        post: operations["generateInvoices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Void a draft, an open or a paid invoice whose amount_paid is zero, and return its credit */
        post: operations["voidInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/regenerate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void an invoice and bill its period again; with dry_run, only preview the changes
         * @description The credit of the invoice is returned and drawn again. The new invoice uses the current tax rate and customer data. The response waits up to ten seconds for the new invoice. After that it is a 202, and Location is the regeneration with its status.
         */
        post: operations["regenerateInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/regenerations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the status of a request to regenerate an invoice */
        get: operations["getRegeneration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/line-items/{line_item_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the events that a line item bills, newest timestamp first; a flat line has no events */
        get: operations["listLineItemEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credit-grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Credit grants, newest first
         * @description `from` and `to` bound `created_at`.
         */
        get: operations["listCreditGrants"];
        put?: never;
        /**
         * Grant prepaid credit, which covers usage before usage is charged
         * @description One credit covers one unit of usage, whatever its price. A charge with the pricing model `credit` sets the number of credits per unit. A grant covers usage before its expiry, in periods that end after the grant was created. The grant that expires first is used first.
         */
        post: operations["createCreditGrant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credit-ledger.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The ledgers of credit grants as a CSV file, the newest grant first
         * @description `from` and `to`, or `month`, bound `created_at` of the movement.
         */
        get: operations["exportCreditLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credit-grants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a credit grant with its ledger */
        get: operations["getCreditGrant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credit-grants/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Void the remaining credit of a grant; credit that invoices have drawn is not affected */
        post: operations["voidCreditGrant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find customers, invoices, credit notes, subscriptions, payments, events and plans, at most 20, the best first
         * @description All of them by id; invoices and credit notes also by number, events by idempotency key, payments by reference. Customers also by a part of their name, email or `external_id`, whatever its case and accents, then by all words of it in any order, with their five newest invoices below each of at most three. Plans by a part of their name or key. Among the 10,000 newest, invoices and credit notes also by four characters of their number, one of them a digit, or by their total. The response is never more than one page.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a test customer's time forward and bill every period that ends by the new time
         * @description At most five years and 100 periods per call. With `hold_drafts`, invoices stay drafts until they are finalized, or until the next advance without `hold_drafts`. If you send several requests at the same time, each invoice is in one of the responses.
         */
        post: operations["advanceTestClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The feed of changes, oldest first, without a gap
         * @description Each change of an object has the next number of its environment, in the order of commits. To follow: take `newest_sequence`, read the lists once, then ask for what comes `after` it, again and again with `next_after`. Keep the greatest `sequence` of each object and drop smaller ones. With `wait`, an empty response is held until a change fits, for at most that many seconds. At most 20,000 numbers are read for a filter by `types` alone; `next_after` moves over what the filter leaves out.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Payment providers: one at most */
        get: operations["listPaymentProviders"];
        put?: never;
        /**
         * Connect the account at a payment provider with which customers are charged
         * @description The key is tried before anything is stored; one of the other mode is refused. Where clients reach the API by https and no `webhook_secret` is sent, the provider is asked to post its events to `webhook_url`; else a person makes that endpoint. One for each environment.
         */
        post: operations["createPaymentProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-providers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a payment provider */
        get: operations["getPaymentProvider"];
        put?: never;
        post?: never;
        /**
         * Disconnect a payment provider
         * @description Its methods are `removed` then, for good. 409 `charge_in_progress` while a charge is under way.
         */
        delete: operations["deletePaymentProvider"];
        options?: never;
        head?: never;
        /**
         * Replace the secrets of a payment provider
         * @description A key is tried, and must be of the same account. The present `webhook_secret` stays valid beside the new one, until the next.
         */
        patch: operations["updatePaymentProvider"];
        trace?: never;
    };
    "/v1/customers/{id}/payment-method-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a page of the payment provider on which a customer saves a payment method
         * @description A portal link makes one for its customer: `id` is then `self`. The method appears once the provider says that it is saved. At most 20 an hour for one customer, then 429.
         */
        post: operations["createPaymentMethodSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Payment methods, newest first */
        get: operations["listPaymentMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-methods/{id}/default": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Charge a customer with this payment method from now on */
        post: operations["setDefaultPaymentMethod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-methods/{id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a payment method, here and at the provider
         * @description The customer has no default then, if it was that one.
         */
        post: operations["removePaymentMethod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-methods/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a payment method */
        get: operations["getPaymentMethod"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Webhook endpoints, newest first */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Have changes posted to an address
         * @description Each change of the feed is posted in the order of its object, signed by [Standard Webhooks](https://www.standardwebhooks.com), and tried again for 72 hours. At most 20 endpoints.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a webhook endpoint */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Nothing more is sent to it.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change the address, the types, the description or the payload
         * @description New types count for what comes next. A delivery that fails is tried at a new address at once.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop deliveries until the endpoint is resumed
         * @description Nothing is lost: changes wait in the feed.
         */
        post: operations["pauseWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Go on with a paused or parked endpoint where it stopped */
        post: operations["resumeWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send all changes after a number again
         * @description With the same ids, before what comes next.
         */
        post: operations["replayWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an endpoint a new secret
         * @description The present secret signs beside the new one for 24 hours.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deliveries of an endpoint, newest first
         * @description Kept for 30 days, and as long as they wait.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery, with what each try sent and was answered
         * @description The body and the headers are made again of the change, by which they are the same bytes, unless an erasure has taken `data` away.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test to an endpoint
         * @description One try of a change `webhook_endpoint.test`, which has no number and is in no feed. The endpoint stays as it is.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/deliveries/{delivery_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a delivery once more
         * @description A success delivers it. After a failure the delivery stays as it was, with the time of its next try.
         */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/deliveries/{delivery_id}/skip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pass over a failing delivery
         * @description Later changes of its object go on.
         */
        post: operations["skipWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the statement of a customer: its open invoices by due date, and their sums */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/statement.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the statement of a customer as a PDF document */
        get: operations["getStatementPdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/pause-collection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause the collection of an open invoice: nothing reminds of it and nothing charges it by itself */
        post: operations["pauseInvoiceCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/resume-collection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the pause of an invoice */
        post: operations["resumeInvoiceCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/pause-collection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause the collection of all that a customer owes, now and later */
        post: operations["pauseCustomerCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/resume-collection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the pause of a customer; invoices that are paused themselves stay so */
        post: operations["resumeCustomerCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Open invoices that are overdue or paused, the earliest due date first */
        get: operations["listCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/emails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Emails, newest first
         * @description `from` and `to` bound `created_at`. `invoice_id` also finds receipts and credit notes of the invoice.
         */
        get: operations["listEmails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/emails/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an email with its fate */
        get: operations["getEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/emails/{id}.eml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an email as a file of RFC 5322, with its attachments
         * @description As it would be composed now, with `[link]` in place of the link to the portal.
         */
        get: operations["getEmailFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an invoice by email, at once and at any hour
         * @description Also to a customer that is muted. The default of `to` are the addresses of the customer. At most 20 an hour for one customer, then 429.
         */
        post: operations["sendInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credit-notes/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a credit note by email, at once and at any hour
         * @description Also to a customer that is muted. The default of `to` are the addresses of the customer. At most 20 an hour for one customer, then 429.
         */
        post: operations["sendCreditNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the receipt of a payment by email, at once and at any hour
         * @description Also to a customer that is muted. The default of `to` are the addresses of the customer. At most 20 an hour for one customer, then 429.
         */
        post: operations["sendReceipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/statement/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the statement of a customer by email, at once and at any hour
         * @description Also to a customer that is muted. The default of `to` are the addresses of the customer. At most 20 an hour for one customer, then 429.
         */
        post: operations["sendStatement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/emails/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the document of an email once more, as a new email
         * @description Also to a customer that is muted. The default of `to` are the addresses of the customer. At most 20 an hour for one customer, then 429.
         */
        post: operations["resendEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/emails/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel an email that waits */
        post: operations["cancelEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/email-texts/{kind}/{language}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the text of a kind of email in a language
         * @description Placeholders are `{customer}`, `{company}`, `{number}`, `{total}`, `{amount_due}`, `{due_date}`, `{invoices}`, `{method}`, `{link}`.
         */
        get: operations["getEmailText"];
        /**
         * Replace Tidemark's text of a kind of email in a language
         * @description For emails that leave from now on.
         */
        put: operations["setEmailText"];
        post?: never;
        /** Use Tidemark's text again */
        delete: operations["deleteEmailText"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/charge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Charge what is due on an open invoice, at any hour
         * @description The default of `payment_method_id` is the default method of the customer. A page on which the invoice is paid is closed first. The response waits up to nine seconds for the end of the attempt; one that is still `pending` or `processing` goes on by itself.
         */
        post: operations["chargeInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Attempts to charge invoices, newest first */
        get: operations["listPaymentAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-attempts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an attempt to charge an invoice */
        get: operations["getPaymentAttempt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/payment-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a page of the payment provider on which what is due on an open invoice is paid
         * @description Asked again, it is the same page while that is open, what is due is the same, and so is `save`; else another, once the one before is closed. At most 20 pages an hour for one customer, then 429. A portal link makes one for the invoices of its customer.
         */
        post: operations["createPaymentSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Payment sessions, newest first */
        get: operations["listPaymentSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a payment session */
        get: operations["getPaymentSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-sessions/{id}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a payment session at the provider now
         * @description One that was paid is recorded at once, as after an event of the provider. The portal does so when the payer comes back.
         */
        post: operations["refreshPaymentSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give money of a payment back that the payment provider made
         * @description The default of `amount` is all that is left, `refundable`. The payment is reversed, and a new one is of the rest. Something that is due then is not charged by itself: the invoice is paused. A refund at the provider that is unknown here is recorded in place of a new one.
         */
        post: operations["refundPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Refunds of charges, newest first */
        get: operations["listPaymentRefunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-refunds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a refund of a charge */
        get: operations["getPaymentRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Disputes of charges, newest first */
        get: operations["listPaymentDisputes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-disputes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a dispute of a charge */
        get: operations["getPaymentDispute"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portal-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Links that can be used, newest first */
        get: operations["listPortalSessions"];
        put?: never;
        /**
         * Make a link by which a customer reads its own documents and usage
         * @description A person who has the link reads what the customer may see, until `expires_at`, and changes nothing. `url` is returned only here and kept nowhere: a request that is sent again makes another link, also with the same `Idempotency-Key`.
         */
        post: operations["createPortalSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portal-sessions/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a link; every process refuses it from then on
         * @description A portal link ends itself: its `id` is then `self`, and it keeps no `Idempotency-Key`.
         */
        post: operations["revokePortalSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portal-sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a link, whether it can be used or not
         * @description A portal link reads itself: its `id` is then `self`.
         */
        get: operations["getPortalSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the settings of the environment: the seller on its documents, and the defaults of customers and plans */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the settings of the environment by a JSON merge patch
         * @description Issued invoices do not change. Test and live data have settings of their own, but for `portal_origins`.
         */
        patch: operations["updateAccount"];
        trace?: never;
    };
    "/v1/account/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the logo on documents as a PNG file */
        get: operations["getAccountLogo"];
        /**
         * Set the logo on documents
         * @description It stands at the top of invoices that are issued from now on, and of their credit notes. Issued invoices keep the logo of their issue. At most 200 KB, and 2,000 pixels a side.
         */
        put: operations["setAccountLogo"];
        post?: never;
        /** Remove the logo from documents that are issued from now on */
        delete: operations["deleteAccountLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Acts on your objects, and who did them, newest first
         * @description `object_id` also finds the payments and credit notes of an invoice, `customer_id` everything of a customer, deleted or not. `from` and `to` bound `created_at`, which is real time. Users, sessions and passkeys are in it for people alone.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-log.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The audit log as a CSV file, newest first
         * @description `object_id` also finds the payments and credit notes of an invoice, `customer_id` everything of a customer, deleted or not. `from` and `to` bound `created_at`, which is real time. Users, sessions and passkeys are in it for people alone. `before` and `after` are JSON.
         */
        get: operations["exportAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
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
    responses: {
        /** @description `invalid_request`: The request is malformed, or a required field is missing. */
        invalid_request: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unauthorized`: The API key is missing or not valid. */
        unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `not_found`: The resource in the path, or a resource that the body refers to, does not exist. */
        not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `conflict`: The request conflicts with an earlier request, or with the current state of the resource. */
        conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `rate_limited`: Too many requests. Wait the number of seconds in Retry-After, then retry. */
        rate_limited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                /** @description Whole seconds to wait before a retry. */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `internal_error`: A server error. You can safely retry the request with the same idempotency key. */
        internal_error: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id of the request. Include it if you contact us about the request. */
        "X-Request-Id": string;
        /** @description `r`: requests that are left now. `t`: seconds until the limit is restored in full; after a 429, seconds until the next retry. */
        RateLimit: string;
        /** @description The limit of the key: `q` requests in `w` seconds. The requests may arrive in one burst; the limit is restored at a constant rate. */
        "RateLimit-Policy": string;
        /** @description Whole seconds to wait before a retry. */
        "Retry-After": number;
        /** @description The URL of the object. */
        Location: string;
        /** @description Present if the response is that of an earlier request with the same key. */
        "Idempotent-Replayed": "true";
        "WWW-Authenticate": "Bearer";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listEvents: {
        parameters: {
            query?: {
                customer_id?: string;
                event_name?: string;
                idempotency_key?: string;
                from?: string;
                to?: string;
                billing_status?: "pending" | "billed" | "late" | "too_late" | "trial" | "unrated";
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: (components["schemas"]["EventWithBilling"] | components["schemas"]["Event"])[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    event_name: string;
                    customer_id: string;
                    idempotency_key: string;
                    /**
                     * @description RFC 3339. You can omit the seconds, the offset (default UTC) or the whole time (default midnight). Stored to the millisecond: of up to 30 decimals of a second, the decimals after the third are dropped.
                     * @example 2026-01-31T00:00:00Z
                     */
                    timestamp?: string | null;
                    /**
                     * @description At most 200 members, 64 KiB and 32 levels. Numbers must be exact; you can also send decimals as strings.
                     * @example {
                     *       "bytes": 1024,
                     *       "region": "eu-west-1"
                     *     }
                     */
                    properties?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    events: {
                        event_name: string;
                        customer_id: string;
                        idempotency_key: string;
                        /**
                         * @description RFC 3339. You can omit the seconds, the offset (default UTC) or the whole time (default midnight). Stored to the millisecond: of up to 30 decimals of a second, the decimals after the third are dropped.
                         * @example 2026-01-31T00:00:00Z
                         */
                        timestamp?: string | null;
                        /**
                         * @description At most 200 members, 64 KiB and 32 levels. Numbers must be exact; you can also send decimals as strings.
                         * @example {
                         *       "bytes": 1024,
                         *       "region": "eu-west-1"
                         *     }
                         */
                        properties?: {
                            [key: string]: unknown;
                        } | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventBatch"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventWithBilling"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getUsageReport: {
        parameters: {
            query: {
                from: string;
                to: string;
                customer_id?: string;
                event_name?: string;
                group_by?: "day" | "event_name" | "customer";
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageReport"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                search?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["Customer"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Your id of the customer. It must not begin with `cus_`. */
                    external_id: string;
                    name?: string | null;
                    email?: string | null;
                    /** @enum {string|null} */
                    tax_treatment?: "standard" | "exempt" | "reverse_charge" | null;
                    address?: {
                        line1?: string | null;
                        line2?: string | null;
                        postal_code?: string | null;
                        city?: string | null;
                        state?: string | null;
                        /**
                         * @description ISO 3166-1 alpha-2. Required if any other part is given.
                         * @example DE
                         */
                        country?: string | null;
                    } | null;
                    /** @description At most 5. */
                    tax_ids?: {
                        /** @enum {string} */
                        type: "eu_vat" | "gb_vat" | "ch_uid" | "us_ein" | "jp_trn" | "in_gst" | "au_abn" | "other";
                        /** @description Must have the form of its type. Stored without blanks, dots and hyphens, in capitals, with the letters of the country; of the type `other` without blanks and dots alone. */
                        value: string;
                    }[] | null;
                    /** @description What the customer wants to read on its invoices, such as the number of a purchase order. */
                    buyer_reference?: string | null;
                    /**
                     * @description The name of an IANA time zone.
                     * @example Europe/Berlin
                     */
                    timezone?: string | null;
                    /** @description Days from the issue of an invoice to its due date. */
                    net_days?: number | null;
                    /**
                     * @description Where emails go, each address once; `email` while the list is empty.
                     * @example [
                     *       "billing@acme.example"
                     *     ]
                     */
                    billing_emails?: string[] | null;
                    /** @description Whether nothing is sent by itself. */
                    email_muted?: boolean | null;
                    /** @enum {string|null} */
                    language?: "en" | "de" | "fr" | "it" | "es" | "nl" | null;
                    /**
                     * @description Whole days from the due date on which payers are reminded, ascending; none: not at all.
                     * @example [
                     *       -3,
                     *       1,
                     *       7,
                     *       14
                     *     ]
                     */
                    reminder_days?: number[] | null;
                    /**
                     * @description Whether invoices that are issued from now on are charged by themselves.
                     * @enum {string|null}
                     */
                    charge_mode?: "manual" | "automatic" | null;
                    /**
                     * @description At most 200 members and 64 KiB.
                     * @example {}
                     */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description An active ISO 4217 currency code with minor units.
                     * @example USD
                     */
                    currency?: string | null;
                    /**
                     * @description A percentage from 0 to 100.
                     * @example 12.5
                     */
                    tax_rate?: string | number | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    deleteCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedCustomer"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    updateCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string | null;
                    email?: string | null;
                    /** @enum {string|null} */
                    tax_treatment?: "standard" | "exempt" | "reverse_charge" | null;
                    address?: {
                        line1?: string | null;
                        line2?: string | null;
                        postal_code?: string | null;
                        city?: string | null;
                        state?: string | null;
                        /**
                         * @description ISO 3166-1 alpha-2. Required if any other part is given.
                         * @example DE
                         */
                        country?: string | null;
                    } | null;
                    /** @description At most 5. */
                    tax_ids?: {
                        /** @enum {string} */
                        type: "eu_vat" | "gb_vat" | "ch_uid" | "us_ein" | "jp_trn" | "in_gst" | "au_abn" | "other";
                        /** @description Must have the form of its type. Stored without blanks, dots and hyphens, in capitals, with the letters of the country; of the type `other` without blanks and dots alone. */
                        value: string;
                    }[] | null;
                    /** @description What the customer wants to read on its invoices, such as the number of a purchase order. */
                    buyer_reference?: string | null;
                    /**
                     * @description The name of an IANA time zone.
                     * @example Europe/Berlin
                     */
                    timezone?: string | null;
                    /** @description Days from the issue of an invoice to its due date. */
                    net_days?: number | null;
                    /**
                     * @description Where emails go, each address once; `email` while the list is empty.
                     * @example [
                     *       "billing@acme.example"
                     *     ]
                     */
                    billing_emails?: string[] | null;
                    /** @description Whether nothing is sent by itself. */
                    email_muted?: boolean | null;
                    /** @enum {string|null} */
                    language?: "en" | "de" | "fr" | "it" | "es" | "nl" | null;
                    /**
                     * @description Whole days from the due date on which payers are reminded, ascending; none: not at all.
                     * @example [
                     *       -3,
                     *       1,
                     *       7,
                     *       14
                     *     ]
                     */
                    reminder_days?: number[] | null;
                    /**
                     * @description Whether invoices that are issued from now on are charged by themselves.
                     * @enum {string|null}
                     */
                    charge_mode?: "manual" | "automatic" | null;
                    /**
                     * @description At most 200 members and 64 KiB.
                     * @example {}
                     */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description An active ISO 4217 currency code with minor units.
                     * @example USD
                     */
                    currency?: string | null;
                    /**
                     * @description A percentage from 0 to 100.
                     * @example 12.5
                     */
                    tax_rate?: string | number | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    redactCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Names of properties of events.
                     * @example [
                     *       "user_email"
                     *     ]
                     */
                    properties?: string[] | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listCustomerUsage: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                event_name?: string;
                group_by?: string;
                timezone?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["Usage"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    exportCustomerUsage: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                event_name?: string;
                group_by?: string;
                timezone?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listPricingPlans: {
        parameters: {
            query?: {
                key?: string;
                customer_id?: string;
                archived?: "true" | "false";
                search?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["PricingPlan"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createPricingPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Your name for all versions of a plan: a key that plans have makes the next version. It must not begin with `plan_`. */
                    key?: string | null;
                    /** @description Required, but of a custom plan: default that of the base. */
                    name?: string | null;
                    /**
                     * @description Default: that of the versions of `key`, else that of the account.
                     * @example USD
                     */
                    currency?: string | null;
                    /**
                     * @description Default: `month`.
                     * @enum {string|null}
                     */
                    interval?: "day" | "week" | "month" | "year" | null;
                    /** @description Default: 1. */
                    interval_count?: number | null;
                    /**
                     * @description The pricing model of charges that do not set one.
                     * @enum {string|null}
                     */
                    pricing_model?: "flat" | "per_unit" | "graduated" | "volume" | "package" | "credit" | "percentage" | null;
                    /** @description Required, but of a custom plan. */
                    charges?: {
                        event_name: string;
                        name?: string | null;
                        /** @description The name of the unit in the plural, for invoices: `minutes`. */
                        unit_name?: string | null;
                        /** @enum {string|null} */
                        pricing_model?: "flat" | "per_unit" | "graduated" | "volume" | "package" | "credit" | "percentage" | null;
                        aggregation?: {
                            /** @enum {string} */
                            type: "count" | "sum" | "max" | "unique" | "latest";
                            property?: string | null;
                        } | null;
                        /**
                         * @description The allowed values of each property. The charge counts an event only if all its properties match.
                         * @example {
                         *       "region": [
                         *         "eu",
                         *         "us"
                         *       ]
                         *     }
                         */
                        filters?: {
                            [key: string]: (string | number | boolean)[];
                        } | null;
                        /**
                         * @description Model flat: the price of a period, in major units, with up to 15 decimals.
                         * @example 12.5
                         */
                        flat_amount?: string | number | null;
                        /**
                         * @description Model flat: whether a period is billed at its end, or in advance, with the invoice of the period before. Default: in_arrears.
                         * @enum {string|null}
                         */
                        billed?: "in_arrears" | "in_advance" | null;
                        /**
                         * @description Model flat: whether the amount is for one of a quantity that the subscription has, named by `event_name`, such as seats. Default: none.
                         * @enum {string|null}
                         */
                        quantity?: "subscription" | null;
                        /**
                         * @description Model per_unit: the price of a unit, in major units, with up to 15 decimals.
                         * @example 12.5
                         */
                        unit_amount?: string | number | null;
                        /** @description Models graduated and volume: `up_to` is the inclusive upper limit, strictly increasing, and null for the last tier. */
                        tiers?: {
                            /**
                             * @description With up to 15 decimals.
                             * @example 12.5
                             */
                            up_to: string | number | null;
                            /**
                             * @description In major units of the currency, with up to 15 decimals.
                             * @example 12.5
                             */
                            unit_amount: string | number;
                            /**
                             * @description In major units of the currency, with up to 15 decimals.
                             * @example 12.5
                             */
                            flat_amount?: string | number | null;
                        }[] | null;
                        /**
                         * @description Model package: units per package.
                         * @example 12.5
                         */
                        package_size?: string | number | null;
                        /**
                         * @description Model package: the price of a package, in major units, with up to 15 decimals.
                         * @example 12.5
                         */
                        package_amount?: string | number | null;
                        /**
                         * @description Model package: free units per period. Default: 0.
                         * @example 12.5
                         */
                        free_units?: string | number | null;
                        /**
                         * @description Model credit: credits per unit. Default: 1.
                         * @example 12.5
                         */
                        credits_per_unit?: string | number | null;
                        /**
                         * @description Model credit: the price of each credit that the grants do not cover, in major units, with up to 15 decimals. Default: 0.
                         * @example 12.5
                         */
                        overage_unit_amount?: string | number | null;
                        /**
                         * @description Model percentage: the percentage of the sum, from 0 to 100.
                         * @example 12.5
                         */
                        rate?: string | number | null;
                        /**
                         * @description Model percentage: the minimum amount of a period with usage, in major units, with up to 15 decimals. Default: none.
                         * @example 12.5
                         */
                        minimum_amount?: string | number | null;
                        /**
                         * @description Model percentage: the maximum amount of a period, in major units, with up to 15 decimals. Default: none.
                         * @example 12.5
                         */
                        maximum_amount?: string | number | null;
                        /** @description Models per_unit, graduated, volume, package: prices by the values of properties, each a line of its own, instead of the fields of the model. */
                        prices?: {
                            /**
                             * @description The values of each property that the price is for, compared as text.
                             * @example {
                             *       "model": [
                             *         "large",
                             *         "larger"
                             *       ]
                             *     }
                             */
                            match?: {
                                [key: string]: (string | number | boolean)[];
                            } | null;
                            /**
                             * @description The price of all other events; the last one. Without it they are unrated.
                             * @constant
                             */
                            default?: true;
                            /**
                             * @description Model flat: the price of a period, in major units, with up to 15 decimals.
                             * @example 12.5
                             */
                            flat_amount?: string | number | null;
                            /**
                             * @description Model flat: whether a period is billed at its end, or in advance, with the invoice of the period before. Default: in_arrears.
                             * @enum {string|null}
                             */
                            billed?: "in_arrears" | "in_advance" | null;
                            /**
                             * @description Model flat: whether the amount is for one of a quantity that the subscription has, named by `event_name`, such as seats. Default: none.
                             * @enum {string|null}
                             */
                            quantity?: "subscription" | null;
                            /**
                             * @description Model per_unit: the price of a unit, in major units, with up to 15 decimals.
                             * @example 12.5
                             */
                            unit_amount?: string | number | null;
                            /** @description Models graduated and volume: `up_to` is the inclusive upper limit, strictly increasing, and null for the last tier. */
                            tiers?: {
                                /**
                                 * @description With up to 15 decimals.
                                 * @example 12.5
                                 */
                                up_to: string | number | null;
                                /**
                                 * @description In major units of the currency, with up to 15 decimals.
                                 * @example 12.5
                                 */
                                unit_amount: string | number;
                                /**
                                 * @description In major units of the currency, with up to 15 decimals.
                                 * @example 12.5
                                 */
                                flat_amount?: string | number | null;
                            }[] | null;
                            /**
                             * @description Model package: units per package.
                             * @example 12.5
                             */
                            package_size?: string | number | null;
                            /**
                             * @description Model package: the price of a package, in major units, with up to 15 decimals.
                             * @example 12.5
                             */
                            package_amount?: string | number | null;
                            /**
                             * @description Model package: free units per period. Default: 0.
                             * @example 12.5
                             */
                            free_units?: string | number | null;
                            /**
                             * @description Model credit: credits per unit. Default: 1.
                             * @example 12.5
                             */
                            credits_per_unit?: string | number | null;
                            /**
                             * @description Model credit: the price of each credit that the grants do not cover, in major units, with up to 15 decimals. Default: 0.
                             * @example 12.5
                             */
                            overage_unit_amount?: string | number | null;
                            /**
                             * @description Model percentage: the percentage of the sum, from 0 to 100.
                             * @example 12.5
                             */
                            rate?: string | number | null;
                            /**
                             * @description Model percentage: the minimum amount of a period with usage, in major units, with up to 15 decimals. Default: none.
                             * @example 12.5
                             */
                            minimum_amount?: string | number | null;
                            /**
                             * @description Model percentage: the maximum amount of a period, in major units, with up to 15 decimals. Default: none.
                             * @example 12.5
                             */
                            maximum_amount?: string | number | null;
                        }[] | null;
                        /** @description Models per_unit, graduated, volume, package: a line for each value of these properties, at most 100 in a period; the rest is one line. Each line is rounded, and has tiers and free units of its own. */
                        group_by?: string[] | null;
                    }[] | null;
                    /**
                     * @description The least that a full period costs, net: above 0, with at most the decimals of the currency. Default: none; of a custom plan that of the base.
                     * @example 12.5
                     */
                    minimum_amount?: string | number | null;
                    /** @description Prepaid credit that a subscription gets as each full billing period begins. Default: none; of a custom plan those of the base. */
                    grants?: {
                        /**
                         * @description In units of usage, for each full period.
                         * @example 1000
                         */
                        amount: number;
                        /** @description Cover the charges of these events alone. */
                        event_names?: string[] | null;
                        /** @description The end of the full period as it really runs, or days after its start. */
                        expires: string | {
                            days: number;
                        };
                        /**
                         * @description Of what is left, at most so much covers usage of the next full period. At most `amount`, only with `period_end`.
                         * @example 1000
                         */
                        carry_over_max?: number | null;
                        /**
                         * @description A period that is short as it begins has its share by exact time up to the next boundary, in whole units, and none for 0.
                         * @default false
                         */
                        prorate?: boolean | null;
                    }[] | null;
                    /**
                     * @description At most 200 members and 64 KiB.
                     * @example {}
                     */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Of a custom plan, with `customer_id` and `overrides`: its base, a plan, or a key, which names its newest version. */
                    based_on?: string | null;
                    /** @description The only customer that may use the custom plan. */
                    customer_id?: string | null;
                    /** @description Prices of the custom plan that differ from those of the base. */
                    overrides?: {
                        /** @description The place of the charge in the base, from 0. */
                        charge: number;
                        /**
                         * @description The model with the fields beside it alone. Without it the fields replace those of the base.
                         * @enum {string|null}
                         */
                        pricing_model?: "flat" | "per_unit" | "graduated" | "volume" | "package" | "credit" | "percentage" | null;
                        /**
                         * @description Model flat: the price of a period, in major units, with up to 15 decimals.
                         * @example 12.5
                         */
                        flat_amount?: string | number | null;
                        /**
                         * @description Model flat: whether a period is billed at its end, or in advance, with the invoice of the period before. Default: in_arrears.
                         * @enum {string|null}
                         */
                        billed?: "in_arrears" | "in_advance" | null;
                        /**
                         * @description Model flat: whether the amount is for one of a quantity that the subscription has, named by `event_name`, such as seats. Default: none.
                         * @enum {string|null}
                         */
                        quantity?: "subscription" | null;
                        /**
                         * @description Model per_unit: the price of a unit, in major units, with up to 15 decimals.
                         * @example 12.5
                         */
                        unit_amount?: string | number | null;
                        /** @description Models graduated and volume: `up_to` is the inclusive upper limit, strictly increasing, and null for the last tier. */
                        tiers?: {
                            /**
                             * @description With up to 15 decimals.
                             * @example 12.5
                             */
                            up_to: string | number | null;
                            /**
                             * @description In major units of the currency, with up to 15 decimals.
                             * @example 12.5
                             */
                            unit_amount: string | number;
                            /**
                             * @description In major units of the currency, with up to 15 decimals.
                             * @example 12.5
                             */
                            flat_amount?: string | number | null;
                        }[] | null;
                        /**
                         * @description Model package: units per package.
                         * @example 12.5
                         */
                        package_size?: string | number | null;
                        /**
                         * @description Model package: the price of a package, in major units, with up to 15 decimals.
                         * @example 12.5
                         */
                        package_amount?: string | number | null;
                        /**
                         * @description Model package: free units per period. Default: 0.
                         * @example 12.5
                         */
                        free_units?: string | number | null;
                        /**
                         * @description Model credit: credits per unit. Default: 1.
                         * @example 12.5
                         */
                        credits_per_unit?: string | number | null;
                        /**
                         * @description Model credit: the price of each credit that the grants do not cover, in major units, with up to 15 decimals. Default: 0.
                         * @example 12.5
                         */
                        overage_unit_amount?: string | number | null;
                        /**
                         * @description Model percentage: the percentage of the sum, from 0 to 100.
                         * @example 12.5
                         */
                        rate?: string | number | null;
                        /**
                         * @description Model percentage: the minimum amount of a period with usage, in major units, with up to 15 decimals. Default: none.
                         * @example 12.5
                         */
                        minimum_amount?: string | number | null;
                        /**
                         * @description Model percentage: the maximum amount of a period, in major units, with up to 15 decimals. Default: none.
                         * @example 12.5
                         */
                        maximum_amount?: string | number | null;
                        /** @description Models per_unit, graduated, volume, package: prices by the values of properties, each a line of its own, instead of the fields of the model. */
                        prices?: {
                            /**
                             * @description The values of each property that the price is for, compared as text.
                             * @example {
                             *       "model": [
                             *         "large",
                             *         "larger"
                             *       ]
                             *     }
                             */
                            match?: {
                                [key: string]: (string | number | boolean)[];
                            } | null;
                            /**
                             * @description The price of all other events; the last one. Without it they are unrated.
                             * @constant
                             */
                            default?: true;
                            /**
                             * @description Model flat: the price of a period, in major units, with up to 15 decimals.
                             * @example 12.5
                             */
                            flat_amount?: string | number | null;
                            /**
                             * @description Model flat: whether a period is billed at its end, or in advance, with the invoice of the period before. Default: in_arrears.
                             * @enum {string|null}
                             */
                            billed?: "in_arrears" | "in_advance" | null;
                            /**
                             * @description Model flat: whether the amount is for one of a quantity that the subscription has, named by `event_name`, such as seats. Default: none.
                             * @enum {string|null}
                             */
                            quantity?: "subscription" | null;
                            /**
                             * @description Model per_unit: the price of a unit, in major units, with up to 15 decimals.
                             * @example 12.5
                             */
                            unit_amount?: string | number | null;
                            /** @description Models graduated and volume: `up_to` is the inclusive upper limit, strictly increasing, and null for the last tier. */
                            tiers?: {
                                /**
                                 * @description With up to 15 decimals.
                                 * @example 12.5
                                 */
                                up_to: string | number | null;
                                /**
                                 * @description In major units of the currency, with up to 15 decimals.
                                 * @example 12.5
                                 */
                                unit_amount: string | number;
                                /**
                                 * @description In major units of the currency, with up to 15 decimals.
                                 * @example 12.5
                                 */
                                flat_amount?: string | number | null;
                            }[] | null;
                            /**
                             * @description Model package: units per package.
                             * @example 12.5
                             */
                            package_size?: string | number | null;
                            /**
                             * @description Model package: the price of a package, in major units, with up to 15 decimals.
                             * @example 12.5
                             */
                            package_amount?: string | number | null;
                            /**
                             * @description Model package: free units per period. Default: 0.
                             * @example 12.5
                             */
                            free_units?: string | number | null;
                            /**
                             * @description Model credit: credits per unit. Default: 1.
                             * @example 12.5
                             */
                            credits_per_unit?: string | number | null;
                            /**
                             * @description Model credit: the price of each credit that the grants do not cover, in major units, with up to 15 decimals. Default: 0.
                             * @example 12.5
                             */
                            overage_unit_amount?: string | number | null;
                            /**
                             * @description Model percentage: the percentage of the sum, from 0 to 100.
                             * @example 12.5
                             */
                            rate?: string | number | null;
                            /**
                             * @description Model percentage: the minimum amount of a period with usage, in major units, with up to 15 decimals. Default: none.
                             * @example 12.5
                             */
                            minimum_amount?: string | number | null;
                            /**
                             * @description Model percentage: the maximum amount of a period, in major units, with up to 15 decimals. Default: none.
                             * @example 12.5
                             */
                            maximum_amount?: string | number | null;
                        }[] | null;
                    }[] | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PricingPlan"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    previewPricingPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Your name for all versions of a plan: a key that plans have makes the next version. It must not begin with `plan_`. */
                    key?: string | null;
                    /** @description Required, but of a custom plan: default that of the base. */
                    name?: string | null;
                    /**
                     * @description Default: that of the versions of `key`, else that of the account.
                     * @example USD
                     */
                    currency?: string | null;
                    /**
                     * @description Default: `month`.
                     * @enum {string|null}
                     */
                    interval?: "day" | "week" | "month" | "year" | null;
                    /** @description Default: 1. */
                    interval_count?: number | null;
                    /**
                     * @description The pricing model of charges that do not set one.
                     * @enum {string|null}
                     */
                    pricing_model?: "flat" | "per_unit" | "graduated" | "volume" | "package" | "credit" | "percentage" | null;
                    /** @description Required, but of a custom plan. */
                    charges?: {
                        event_name: string;
                        name?: string | null;
                        /** @description The name of the unit in the plural, for invoices: `minutes`. */
                        unit_name?: string | null;
                        /** @enum {string|null} */
                        pricing_model?: "flat" | "per_unit" | "graduated" | "volume" | "package" | "credit" | "percentage" | null;
                        aggregation?: {
                            /** @enum {string} */
                            type: "count" | "sum" | "max" | "unique" | "latest";
                            property?: string | null;
                        } | null;
                        /**
                         * @description The allowed values of each property. The charge counts an event only if all its properties match.
                         * @example {
                         *       "region": [
                         *         "eu",
                         *         "us"
                         *       ]
                         *     }
                         */
                        filters?: {
                            [key: string]: (string | number | boolean)[];
                        } | null;
                        /**
                         * @description Model flat: the price of a period, in major units, with up to 15 decimals.
                         * @example 12.5
                         */
                        flat_amount?: string | number | null;
                        /**
                         * @description Model flat: whether a period is billed at its end, or in advance, with the invoice of the period before. Default: in_arrears.
                         * @enum {string|null}
                         */
                        billed?: "in_arrears" | "in_advance" | null;
                        /**
                         * @description Model flat: whether the amount is for one of a quantity that the subscription has, named by `event_name`, such as seats. Default: none.
                         * @enum {string|null}
                         */
                        quantity?: "subscription" | null;
                        /**
                         * @description Model per_unit: the price of a unit, in major units, with up to 15 decimals.
                         * @example 12.5
                         */
                        unit_amount?: string | number | null;
                        /** @description Models graduated and volume: `up_to` is the inclusive upper limit, strictly increasing, and null for the last tier. */
                        tiers?: {
                            /**
                             * @description With up to 15 decimals.
                             * @example 12.5
                             */
                            up_to: string | number | null;
                            /**
                             * @description In major units of the currency, with up to 15 decimals.
                             * @example 12.5
                             */
                            unit_amount: string | number;
                            /**
                             * @description In major units of the currency, with up to 15 decimals.
                             * @example 12.5
                             */
                            flat_amount?: string | number | null;
                        }[] | null;
                        /**
                         * @description Model package: units per package.
                         * @example 12.5
                         */
                        package_size?: string | number | null;
                        /**
                         * @description Model package: the price of a package, in major units, with up to 15 decimals.
                         * @example 12.5
                         */
                        package_amount?: string | number | null;
                        /**
                         * @description Model package: free units per period. Default: 0.
                         * @example 12.5
                         */
                        free_units?: string | number | null;
                        /**
                         * @description Model credit: credits per unit. Default: 1.
                         * @example 12.5
                         */
                        credits_per_unit?: string | number | null;
                        /**
                         * @description Model credit: the price of each credit that the grants do not cover, in major units, with up to 15 decimals. Default: 0.
                         * @example 12.5
                         */
                        overage_unit_amount?: string | number | null;
                        /**
                         * @description Model percentage: the percentage of the sum, from 0 to 100.
                         * @example 12.5
                         */
                        rate?: string | number | null;
                        /**
                         * @description Model percentage: the minimum amount of a period with usage, in major units, with up to 15 decimals. Default: none.
                         * @example 12.5
                         */
                        minimum_amount?: string | number | null;
                        /**
                         * @description Model percentage: the maximum amount of a period, in major units, with up to 15 decimals. Default: none.
                         * @example 12.5
                         */
                        maximum_amount?: string | number | null;
                        /** @description Models per_unit, graduated, volume, package: prices by the values of properties, each a line of its own, instead of the fields of the model. */
                        prices?: {
                            /**
                             * @description The values of each property that the price is for, compared as text.
                             * @example {
                             *       "model": [
                             *         "large",
                             *         "larger"
                             *       ]
                             *     }
                             */
                            match?: {
                                [key: string]: (string | number | boolean)[];
                            } | null;
                            /**
                             * @description The price of all other events; the last one. Without it they are unrated.
                             * @constant
                             */
                            default?: true;
                            /**
                             * @description Model flat: the price of a period, in major units, with up to 15 decimals.
                             * @example 12.5
                             */
                            flat_amount?: string | number | null;
                            /**
                             * @description Model flat: whether a period is billed at its end, or in advance, with the invoice of the period before. Default: in_arrears.
                             * @enum {string|null}
                             */
                            billed?: "in_arrears" | "in_advance" | null;
                            /**
                             * @description Model flat: whether the amount is for one of a quantity that the subscription has, named by `event_name`, such as seats. Default: none.
                             * @enum {string|null}
                             */
                            quantity?: "subscription" | null;
                            /**
                             * @description Model per_unit: the price of a unit, in major units, with up to 15 decimals.
                             * @example 12.5
                             */
                            unit_amount?: string | number | null;
                            /** @description Models graduated and volume: `up_to` is the inclusive upper limit, strictly increasing, and null for the last tier. */
                            tiers?: {
                                /**
                                 * @description With up to 15 decimals.
                                 * @example 12.5
                                 */
                                up_to: string | number | null;
                                /**
                                 * @description In major units of the currency, with up to 15 decimals.
                                 * @example 12.5
                                 */
                                unit_amount: string | number;
                                /**
                                 * @description In major units of the currency, with up to 15 decimals.
                                 * @example 12.5
                                 */
                                flat_amount?: string | number | null;
                            }[] | null;
                            /**
                             * @description Model package: units per package.
                             * @example 12.5
                             */
                            package_size?: string | number | null;
                            /**
                             * @description Model package: the price of a package, in major units, with up to 15 decimals.
                             * @example 12.5
                             */
                            package_amount?: string | number | null;
                            /**
                             * @description Model package: free units per period. Default: 0.
                             * @example 12.5
                             */
                            free_units?: string | number | null;
                            /**
                             * @description Model credit: credits per unit. Default: 1.
                             * @example 12.5
                             */
                            credits_per_unit?: string | number | null;
                            /**
                             * @description Model credit: the price of each credit that the grants do not cover, in major units, with up to 15 decimals. Default: 0.
                             * @example 12.5
                             */
                            overage_unit_amount?: string | number | null;
                            /**
                             * @description Model percentage: the percentage of the sum, from 0 to 100.
                             * @example 12.5
                             */
                            rate?: string | number | null;
                            /**
                             * @description Model percentage: the minimum amount of a period with usage, in major units, with up to 15 decimals. Default: none.
                             * @example 12.5
                             */
                            minimum_amount?: string | number | null;
                            /**
                             * @description Model percentage: the maximum amount of a period, in major units, with up to 15 decimals. Default: none.
                             * @example 12.5
                             */
                            maximum_amount?: string | number | null;
                        }[] | null;
                        /** @description Models per_unit, graduated, volume, package: a line for each value of these properties, at most 100 in a period; the rest is one line. Each line is rounded, and has tiers and free units of its own. */
                        group_by?: string[] | null;
                    }[] | null;
                    /**
                     * @description The least that a full period costs, net: above 0, with at most the decimals of the currency. Default: none; of a custom plan that of the base.
                     * @example 12.5
                     */
                    minimum_amount?: string | number | null;
                    /** @description Prepaid credit that a subscription gets as each full billing period begins. Default: none; of a custom plan those of the base. */
                    grants?: {
                        /**
                         * @description In units of usage, for each full period.
                         * @example 1000
                         */
                        amount: number;
                        /** @description Cover the charges of these events alone. */
                        event_names?: string[] | null;
                        /** @description The end of the full period as it really runs, or days after its start. */
                        expires: string | {
                            days: number;
                        };
                        /**
                         * @description Of what is left, at most so much covers usage of the next full period. At most `amount`, only with `period_end`.
                         * @example 1000
                         */
                        carry_over_max?: number | null;
                        /**
                         * @description A period that is short as it begins has its share by exact time up to the next boundary, in whole units, and none for 0.
                         * @default false
                         */
                        prorate?: boolean | null;
                    }[] | null;
                    /**
                     * @description At most 200 members and 64 KiB.
                     * @example {}
                     */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Of a custom plan, with `customer_id` and `overrides`: its base, a plan, or a key, which names its newest version. */
                    based_on?: string | null;
                    /** @description The only customer that may use the custom plan. */
                    customer_id?: string | null;
                    /** @description Prices of the custom plan that differ from those of the base. */
                    overrides?: {
                        /** @description The place of the charge in the base, from 0. */
                        charge: number;
                        /**
                         * @description The model with the fields beside it alone. Without it the fields replace those of the base.
                         * @enum {string|null}
                         */
                        pricing_model?: "flat" | "per_unit" | "graduated" | "volume" | "package" | "credit" | "percentage" | null;
                        /**
                         * @description Model flat: the price of a period, in major units, with up to 15 decimals.
                         * @example 12.5
                         */
                        flat_amount?: string | number | null;
                        /**
                         * @description Model flat: whether a period is billed at its end, or in advance, with the invoice of the period before. Default: in_arrears.
                         * @enum {string|null}
                         */
                        billed?: "in_arrears" | "in_advance" | null;
                        /**
                         * @description Model flat: whether the amount is for one of a quantity that the subscription has, named by `event_name`, such as seats. Default: none.
                         * @enum {string|null}
                         */
                        quantity?: "subscription" | null;
                        /**
                         * @description Model per_unit: the price of a unit, in major units, with up to 15 decimals.
                         * @example 12.5
                         */
                        unit_amount?: string | number | null;
                        /** @description Models graduated and volume: `up_to` is the inclusive upper limit, strictly increasing, and null for the last tier. */
                        tiers?: {
                            /**
                             * @description With up to 15 decimals.
                             * @example 12.5
                             */
                            up_to: string | number | null;
                            /**
                             * @description In major units of the currency, with up to 15 decimals.
                             * @example 12.5
                             */
                            unit_amount: string | number;
                            /**
                             * @description In major units of the currency, with up to 15 decimals.
                             * @example 12.5
                             */
                            flat_amount?: string | number | null;
                        }[] | null;
                        /**
                         * @description Model package: units per package.
                         * @example 12.5
                         */
                        package_size?: string | number | null;
                        /**
                         * @description Model package: the price of a package, in major units, with up to 15 decimals.
                         * @example 12.5
                         */
                        package_amount?: string | number | null;
                        /**
                         * @description Model package: free units per period. Default: 0.
                         * @example 12.5
                         */
                        free_units?: string | number | null;
                        /**
                         * @description Model credit: credits per unit. Default: 1.
                         * @example 12.5
                         */
                        credits_per_unit?: string | number | null;
                        /**
                         * @description Model credit: the price of each credit that the grants do not cover, in major units, with up to 15 decimals. Default: 0.
                         * @example 12.5
                         */
                        overage_unit_amount?: string | number | null;
                        /**
                         * @description Model percentage: the percentage of the sum, from 0 to 100.
                         * @example 12.5
                         */
                        rate?: string | number | null;
                        /**
                         * @description Model percentage: the minimum amount of a period with usage, in major units, with up to 15 decimals. Default: none.
                         * @example 12.5
                         */
                        minimum_amount?: string | number | null;
                        /**
                         * @description Model percentage: the maximum amount of a period, in major units, with up to 15 decimals. Default: none.
                         * @example 12.5
                         */
                        maximum_amount?: string | number | null;
                        /** @description Models per_unit, graduated, volume, package: prices by the values of properties, each a line of its own, instead of the fields of the model. */
                        prices?: {
                            /**
                             * @description The values of each property that the price is for, compared as text.
                             * @example {
                             *       "model": [
                             *         "large",
                             *         "larger"
                             *       ]
                             *     }
                             */
                            match?: {
                                [key: string]: (string | number | boolean)[];
                            } | null;
                            /**
                             * @description The price of all other events; the last one. Without it they are unrated.
                             * @constant
                             */
                            default?: true;
                            /**
                             * @description Model flat: the price of a period, in major units, with up to 15 decimals.
                             * @example 12.5
                             */
                            flat_amount?: string | number | null;
                            /**
                             * @description Model flat: whether a period is billed at its end, or in advance, with the invoice of the period before. Default: in_arrears.
                             * @enum {string|null}
                             */
                            billed?: "in_arrears" | "in_advance" | null;
                            /**
                             * @description Model flat: whether the amount is for one of a quantity that the subscription has, named by `event_name`, such as seats. Default: none.
                             * @enum {string|null}
                             */
                            quantity?: "subscription" | null;
                            /**
                             * @description Model per_unit: the price of a unit, in major units, with up to 15 decimals.
                             * @example 12.5
                             */
                            unit_amount?: string | number | null;
                            /** @description Models graduated and volume: `up_to` is the inclusive upper limit, strictly increasing, and null for the last tier. */
                            tiers?: {
                                /**
                                 * @description With up to 15 decimals.
                                 * @example 12.5
                                 */
                                up_to: string | number | null;
                                /**
                                 * @description In major units of the currency, with up to 15 decimals.
                                 * @example 12.5
                                 */
                                unit_amount: string | number;
                                /**
                                 * @description In major units of the currency, with up to 15 decimals.
                                 * @example 12.5
                                 */
                                flat_amount?: string | number | null;
                            }[] | null;
                            /**
                             * @description Model package: units per package.
                             * @example 12.5
                             */
                            package_size?: string | number | null;
                            /**
                             * @description Model package: the price of a package, in major units, with up to 15 decimals.
                             * @example 12.5
                             */
                            package_amount?: string | number | null;
                            /**
                             * @description Model package: free units per period. Default: 0.
                             * @example 12.5
                             */
                            free_units?: string | number | null;
                            /**
                             * @description Model credit: credits per unit. Default: 1.
                             * @example 12.5
                             */
                            credits_per_unit?: string | number | null;
                            /**
                             * @description Model credit: the price of each credit that the grants do not cover, in major units, with up to 15 decimals. Default: 0.
                             * @example 12.5
                             */
                            overage_unit_amount?: string | number | null;
                            /**
                             * @description Model percentage: the percentage of the sum, from 0 to 100.
                             * @example 12.5
                             */
                            rate?: string | number | null;
                            /**
                             * @description Model percentage: the minimum amount of a period with usage, in major units, with up to 15 decimals. Default: none.
                             * @example 12.5
                             */
                            minimum_amount?: string | number | null;
                            /**
                             * @description Model percentage: the maximum amount of a period, in major units, with up to 15 decimals. Default: none.
                             * @example 12.5
                             */
                            maximum_amount?: string | number | null;
                        }[] | null;
                    }[] | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PricingPlanPreview"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getPricingPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PricingPlan"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    archivePricingPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PricingPlan"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    unarchivePricingPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PricingPlan"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                customer_id?: string;
                status?: "pending" | "trialing" | "active" | "canceled";
                plan_id?: string;
                attention?: "true" | "false";
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["Subscription"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    customer_id: string;
                    /** @description The id of a plan, or a key, which names its newest version. */
                    plan_id: string;
                    /**
                     * @description RFC 3339. You can omit the seconds or the offset (default UTC). A date alone is the beginning of that day in the time zone of the customer.
                     * @example 2026-01-31
                     * @example 2026-01-31T00:00:00Z
                     */
                    start_date?: string | null;
                    /**
                     * @description RFC 3339. You can omit the seconds or the offset (default UTC). A date alone is the beginning of that day in the time zone of the customer.
                     * @example 2026-01-31
                     * @example 2026-01-31T00:00:00Z
                     */
                    trial_end_date?: string | null;
                    /**
                     * @description RFC 3339. You can omit the seconds or the offset (default UTC). A date alone is the beginning of that day in the time zone of the customer.
                     * @example 2026-01-31
                     * @example 2026-01-31T00:00:00Z
                     */
                    billing_anchor?: string | null;
                    /**
                     * @description Quantities of flat charges with `quantity` `subscription`, by their `event_name`.
                     * @example {
                     *       "seat": "10"
                     *     }
                     */
                    quantities?: {
                        [key: string]: string | number;
                    } | null;
                    /**
                     * @description The usage of the open part of a period, net, at which it is billed before its end. Above 0, with at most the decimals of the currency.
                     * @example 12.5
                     */
                    bill_at?: string | number | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    updateSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The usage of the open part of a period, net, at which it is billed before its end. Above 0, with at most the decimals of the currency.
                     * @example 12.5
                     */
                    bill_at?: string | number | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    cancelSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description `now`, `period_end` (the end of the running period, whatever is scheduled; of a trial its end, before the start the start), or RFC 3339, where a date alone is the beginning of that day in the time zone of the subscription.
                     * @default period_end
                     * @example now
                     * @example period_end
                     * @example 2026-04-16
                     * @example 2026-04-16T00:00:00Z
                     */
                    at?: string | null;
                    /**
                     * @description The use of what was paid in advance for time that is not used: to the balance, paid back outside of Tidemark, or `none`: the fee is kept.
                     * @default balance
                     * @enum {string|null}
                     */
                    settle?: "balance" | "outside" | "none" | null;
                    /**
                     * @description Return the invoices that follow, and store nothing.
                     * @default false
                     */
                    dry_run?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"] | components["schemas"]["PlanChangePreview"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    takeBackCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    changePlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The id of a plan, or a key, which names its newest version. */
                    plan_id: string;
                    /**
                     * @description `now`, `period_end` (the end of the running period, whatever is scheduled; of a trial its end, before the start the start), or RFC 3339, where a date alone is the beginning of that day in the time zone of the subscription.
                     * @example now
                     * @example period_end
                     * @example 2026-04-16
                     * @example 2026-04-16T00:00:00Z
                     */
                    at: string;
                    /**
                     * @description The use of what was paid in advance for time that is not used: to the balance, paid back outside of Tidemark, or `none`: the fee is kept. Default: `balance`; not with `proration` `none`.
                     * @enum {string|null}
                     */
                    settle?: "balance" | "outside" | "none" | null;
                    /**
                     * @description How fees in advance pass to the new plan inside a period. `exact`: both by exact time. `full`: the new fee whole for what is left up to the boundary. `none`: the old fee runs on to the boundary, where the new one begins.
                     * @default exact
                     * @enum {string|null}
                     */
                    proration?: "exact" | "none" | "full" | null;
                    /**
                     * @description Whether boundaries stay where they were, for a plan of the same interval, or the change begins the cycle anew (`restart`).
                     * @default keep
                     * @enum {string|null}
                     */
                    cycle?: "keep" | "restart" | null;
                    /**
                     * @description What the plan that goes gave for the running period covers no usage from `at` on, neither by carry-over nor by days.
                     * @default false
                     */
                    take_back_grants?: boolean | null;
                    /**
                     * @description Quantities of flat charges with `quantity` `subscription`, by their `event_name`.
                     * @example {
                     *       "seat": "10"
                     *     }
                     */
                    quantities?: {
                        [key: string]: string | number;
                    } | null;
                    /**
                     * @description Return the invoices that follow, and store nothing.
                     * @default false
                     */
                    dry_run?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"] | components["schemas"]["PlanChangePreview"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    takeBackChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listPeriods: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["Period"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    wakeSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    changeTrial: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `now`, or RFC 3339, where a date alone is the beginning of that day in the time zone of the subscription.
                     * @example now
                     * @example 2026-04-16
                     * @example 2026-04-16T00:00:00Z
                     */
                    ends_at: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    changeQuantities: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Quantities of flat charges with `quantity` `subscription`, by their `event_name`.
                     * @example {
                     *       "seat": "10"
                     *     }
                     */
                    quantities: {
                        [key: string]: string | number;
                    };
                    /**
                     * @description `now`, `period_end` (the end of the running period, whatever is scheduled; of a trial its end, before the start the start), or RFC 3339, where a date alone is the beginning of that day in the time zone of the subscription.
                     * @example now
                     * @example period_end
                     * @example 2026-04-16
                     * @example 2026-04-16T00:00:00Z
                     */
                    at: string;
                    /**
                     * @description The use of what was paid in advance for time that is not used: to the balance, paid back outside of Tidemark, or `none`: the fee is kept.
                     * @default balance
                     * @enum {string|null}
                     */
                    settle?: "balance" | "outside" | "none" | null;
                    /**
                     * @description The invoice of a higher quantity of a fee in advance: the one that closes the full period, or `now`, an opening as the instant comes.
                     * @default with_next
                     * @enum {string|null}
                     */
                    bill?: "with_next" | "now" | null;
                    /**
                     * @description Return the invoices that follow, and store nothing.
                     * @default false
                     */
                    dry_run?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"] | components["schemas"]["QuantityChangePreview"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    takeBackQuantities: {
        parameters: {
            query: {
                at: string;
            };
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listPlanMigrations: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["PlanMigration"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createPlanMigration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The id of a plan, or a key, which names all versions. */
                    from_plan_id: string;
                    /** @description The id of a plan, or a key, which names its newest version. */
                    to_plan_id: string;
                    /**
                     * @description `now`, `period_end` (the end of the running period, whatever is scheduled; of a trial its end, before the start the start), or RFC 3339, where a date alone is the beginning of that day in the time zone of the subscription.
                     * @example now
                     * @example period_end
                     * @example 2026-04-16
                     * @example 2026-04-16T00:00:00Z
                     */
                    at: string;
                    /**
                     * @description The use of what was paid in advance for time that is not used: to the balance, paid back outside of Tidemark, or `none`: the fee is kept. Default: `balance`; not with `proration` `none`.
                     * @enum {string|null}
                     */
                    settle?: "balance" | "outside" | "none" | null;
                    /**
                     * @description How fees in advance pass to the new plan inside a period. `exact`: both by exact time. `full`: the new fee whole for what is left up to the boundary. `none`: the old fee runs on to the boundary, where the new one begins.
                     * @default exact
                     * @enum {string|null}
                     */
                    proration?: "exact" | "none" | "full" | null;
                    /**
                     * @description Whether boundaries stay where they were, for a plan of the same interval, or the change begins the cycle anew (`restart`).
                     * @default keep
                     * @enum {string|null}
                     */
                    cycle?: "keep" | "restart" | null;
                    /** @description Only subscriptions of these customers. Default: of all. */
                    customer_ids?: string[] | null;
                    /**
                     * @description Whether custom plans that are based on the plan are based anew on the target, with their overrides. Else their subscriptions are skipped.
                     * @default false
                     */
                    custom?: boolean | null;
                    /**
                     * @description Return what both plans charge for the current periods, and store nothing.
                     * @default false
                     */
                    dry_run?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanMigrationPreview"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanMigration"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getPlanMigration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanMigration"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listPlanMigrationOutcomes: {
        parameters: {
            query?: {
                status?: "changed" | "skipped" | "failed" | "taken_back";
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["PlanMigrationOutcome"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    stopPlanMigration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanMigration"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    takeBackPlanMigration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanMigration"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listDiscounts: {
        parameters: {
            query?: {
                customer_id?: string;
                subscription_id?: string;
                status?: "active" | "ended";
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["Discount"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createDiscount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    customer_id: string;
                    /** @description This subscription alone. The default is each one of the customer, later ones too. */
                    subscription_id?: string | null;
                    /** @description Printed on the invoice; erased with the customer. */
                    name: string;
                    /**
                     * @description Above 0, at most 100, with at most 4 decimals. Either this or `amount`.
                     * @example 12.5
                     */
                    percent?: string | number | null;
                    /**
                     * @description Net, off each full period of each subscription: above 0, with at most the decimals of the currency. Without `event_names`.
                     * @example 12.5
                     */
                    amount?: string | number | null;
                    /** @description The charges with these event names alone, flat ones too. The default is all. */
                    event_names?: string[] | null;
                    /**
                     * @description RFC 3339. You can omit the seconds or the offset (default UTC). A date alone is the beginning of that day in the time zone of the customer. The default is now.
                     * @example 2026-01-31
                     * @example 2026-01-31T00:00:00Z
                     */
                    from?: string | null;
                    /**
                     * @description RFC 3339. You can omit the seconds or the offset (default UTC). A date alone is the beginning of that day in the time zone of the customer. After `from`; the default is without an end.
                     * @example 2026-01-31
                     * @example 2026-01-31T00:00:00Z
                     */
                    until?: string | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Discount"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getDiscount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Discount"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    endDiscount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description RFC 3339. You can omit the seconds or the offset (default UTC). A date alone is the beginning of that day in the time zone of the customer. From `from` to the `until` that the discount has; the default is now.
                     * @example 2026-01-31
                     * @example 2026-01-31T00:00:00Z
                     */
                    until?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Discount"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getUpcomingInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpcomingInvoice"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                customer_id?: string;
                subscription_id?: string;
                number?: string;
                status?: "draft" | "open" | "paid" | "void";
                overdue?: "true" | "false";
                sent?: "true" | "false";
                collection?: "scheduled" | "charging" | "processing" | "action_required" | "exhausted" | "none" | "paused" | "done";
                currency?: string;
                from?: string;
                to?: string;
                issued_from?: string;
                issued_to?: string;
                period_month?: string;
                issued_month?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["Invoice"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getInvoiceSummary: {
        parameters: {
            query?: {
                customer_id?: string;
                subscription_id?: string;
                number?: string;
                status?: "draft" | "open" | "paid" | "void";
                overdue?: "true" | "false";
                sent?: "true" | "false";
                collection?: "scheduled" | "charging" | "processing" | "action_required" | "exhausted" | "none" | "paused" | "done";
                currency?: string;
                from?: string;
                to?: string;
                issued_from?: string;
                issued_to?: string;
                period_month?: string;
                issued_month?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceSummary"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getInvoicePdf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getInvoiceXml: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    finalizeInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getInvoiceComparison: {
        parameters: {
            query?: {
                with?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceComparison"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getUpcomingInvoiceComparison: {
        parameters: {
            query?: {
                with?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceComparison"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    exportInvoices: {
        parameters: {
            query?: {
                customer_id?: string;
                subscription_id?: string;
                number?: string;
                status?: "draft" | "open" | "paid" | "void";
                overdue?: "true" | "false";
                sent?: "true" | "false";
                collection?: "scheduled" | "charging" | "processing" | "action_required" | "exhausted" | "none" | "paused" | "done";
                currency?: string;
                from?: string;
                to?: string;
                issued_from?: string;
                issued_to?: string;
                period_month?: string;
                issued_month?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    exportLineItems: {
        parameters: {
            query?: {
                customer_id?: string;
                subscription_id?: string;
                number?: string;
                status?: "draft" | "open" | "paid" | "void";
                overdue?: "true" | "false";
                sent?: "true" | "false";
                collection?: "scheduled" | "charging" | "processing" | "action_required" | "exhausted" | "none" | "paused" | "done";
                currency?: string;
                from?: string;
                to?: string;
                issued_from?: string;
                issued_to?: string;
                period_month?: string;
                issued_month?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listInvoiceItems: {
        parameters: {
            query?: {
                customer_id?: string;
                subscription_id?: string;
                status?: "pending" | "invoiced";
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["InvoiceItem"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createInvoiceItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    customer_id: string;
                    /** @description The default is the running subscription of the customer whose invoice comes next: the oldest draft, else the earliest end of a billing period; those in trial come last. */
                    subscription_id?: string | null;
                    /** @description Printed on the invoice. */
                    description: string;
                    /**
                     * @description Above 0. The default is 1.
                     * @example 12.5
                     */
                    quantity?: string | number | null;
                    /**
                     * @description Below 0 for a rebate.
                     * @example 12.5
                     */
                    unit_amount: string | number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceItem"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getInvoiceItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceItem"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    deleteInvoiceItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedInvoiceItem"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    payInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reference?: string | null;
                    /**
                     * @description RFC 3339. You can omit the seconds, the offset (default UTC) or the whole time (default midnight). Stored to the millisecond: of up to 30 decimals of a second, the decimals after the third are dropped.
                     * @example 2026-01-31T00:00:00Z
                     */
                    paid_at?: string | null;
                    /**
                     * @description Whether to record it although one with the same `reference`, amount and day (UTC) of `paid_at` stands; else 409 `duplicate_payment`, which names that one.
                     * @default false
                     */
                    allow_duplicate?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Above 0, with at most the decimals of the currency.
                     * @example 12.5
                     */
                    amount?: string | number | null;
                    reference?: string | null;
                    /**
                     * @description RFC 3339. You can omit the seconds, the offset (default UTC) or the whole time (default midnight). Stored to the millisecond: of up to 30 decimals of a second, the decimals after the third are dropped.
                     * @example 2026-01-31T00:00:00Z
                     */
                    paid_at?: string | null;
                    /**
                     * @description Whether to record it although one with the same `reference`, amount and day (UTC) of `paid_at` stands; else 409 `duplicate_payment`, which names that one.
                     * @default false
                     */
                    allow_duplicate?: boolean | null;
                    /**
                     * @description What becomes of an amount above what is due: 409, or added to the customer's balance.
                     * @default refused
                     * @enum {string|null}
                     */
                    excess?: "refused" | "balance" | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    reversePayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                payment_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listPayments: {
        parameters: {
            query?: {
                customer_id?: string;
                invoice_id?: string;
                reference?: string;
                from?: string;
                to?: string;
                month?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["Payment"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    exportPayments: {
        parameters: {
            query?: {
                customer_id?: string;
                invoice_id?: string;
                reference?: string;
                from?: string;
                to?: string;
                month?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getPaymentPdf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createDeposit: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Above 0, with at most the decimals of the currency.
                     * @example 12.5
                     */
                    amount: string | number;
                    reference?: string | null;
                    /**
                     * @description RFC 3339. You can omit the seconds, the offset (default UTC) or the whole time (default midnight). Stored to the millisecond: of up to 30 decimals of a second, the decimals after the third are dropped.
                     * @example 2026-01-31T00:00:00Z
                     */
                    paid_at?: string | null;
                    /**
                     * @description Whether to record it although one with the same `reference`, amount and day (UTC) of `paid_at` stands; else 409 `duplicate_payment`, which names that one.
                     * @default false
                     */
                    allow_duplicate?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    reversePaymentById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listTransfers: {
        parameters: {
            query?: {
                customer_id?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["Transfer"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    customer_id: string;
                    /**
                     * @description Above 0, with at most the decimals of the currency.
                     * @example 12.5
                     */
                    amount: string | number;
                    invoices: {
                        id: string;
                        /**
                         * @description Above 0, with at most the decimals of the currency.
                         * @example 12.5
                         */
                        amount?: string | number | null;
                    }[];
                    reference?: string | null;
                    /**
                     * @description RFC 3339. You can omit the seconds, the offset (default UTC) or the whole time (default midnight). Stored to the millisecond: of up to 30 decimals of a second, the decimals after the third are dropped.
                     * @example 2026-01-31T00:00:00Z
                     */
                    paid_at?: string | null;
                    /**
                     * @description Whether to record it although one with the same `reference`, amount and day (UTC) of `paid_at` stands; else 409 `duplicate_payment`, which names that one.
                     * @default false
                     */
                    allow_duplicate?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transfer"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transfer"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    reverseTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transfer"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    matchTransfers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    rows: {
                        /**
                         * @description RFC 3339. You can omit the seconds, the offset (default UTC) or the whole time (default midnight). Stored to the millisecond: of up to 30 decimals of a second, the decimals after the third are dropped.
                         * @example 2026-01-31T00:00:00Z
                         */
                        paid_at: string;
                        /**
                         * @description With at most the decimals of the currency.
                         * @example 12.5
                         */
                        amount: string | number;
                        /**
                         * @description An active ISO 4217 currency code with minor units.
                         * @example USD
                         */
                        currency: string;
                        reference: string;
                        /** @description The name of the payer. */
                        name?: string | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransferMatch"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createCreditNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What to credit. `all` credits what each line has left, those below zero too, whatever their number. */
                    lines: {
                        line_item_id: string;
                        /**
                         * @description Net. The default is what the line has left to credit.
                         * @example 12.5
                         */
                        amount?: string | number | null;
                    }[] | string;
                    /** @description Printed on the document. */
                    reason: string;
                    /**
                     * @description Where the part goes that exceeds what is due.
                     * @default balance
                     * @enum {string|null}
                     */
                    settle?: "balance" | "outside" | null;
                    /**
                     * @description With `settle: "outside"`: refund what is paid back outside, of the charges of the invoice, the newest first. 409 `not_refundable` if less is left of them.
                     * @default false
                     */
                    refund?: boolean | null;
                    /**
                     * @description Return what would be issued, and store nothing.
                     * @default false
                     */
                    dry_run?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditNotePreview"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditNote"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listCreditNotes: {
        parameters: {
            query?: {
                customer_id?: string;
                invoice_id?: string;
                status?: "issued" | "void";
                from?: string;
                to?: string;
                issued_month?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["CreditNote"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    exportCreditNotes: {
        parameters: {
            query?: {
                customer_id?: string;
                invoice_id?: string;
                status?: "issued" | "void";
                from?: string;
                to?: string;
                issued_month?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getCreditNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditNote"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getCreditNotePdf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getCreditNoteXml: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    voidCreditNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditNote"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createBalanceAdjustment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Not 0, with at most the decimals of the currency.
                     * @example 12.5
                     */
                    amount: string | number;
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceEntry"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listBalanceEntries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["BalanceEntry"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    exportBalanceEntries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getBalanceEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceEntry"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    applyBalance: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description The default is as much as is due and there.
                     * @example 12.5
                     */
                    amount?: string | number | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    exportJournal: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                month?: string;
                format?: "csv" | "datev";
                currency?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getJournalSummary: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                month?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JournalSummary"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getJournalDocuments: {
        parameters: {
            query: {
                month: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JournalDocuments"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listClosedMonths: {
        parameters: {
            query?: {
                object_id?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["ClosedMonth"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    closeMonth: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description A month by the time zone of the account.
                     * @example 2026-10
                     */
                    month: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClosedMonth"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getClosedMonth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                month: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClosedMonth"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    openMonth: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                month: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClosedMonth"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    exportClosedMonth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                month: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getReceivables: {
        parameters: {
            query?: {
                as_of?: string;
                currency?: string;
                customer_id?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receivables"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    exportReceivables: {
        parameters: {
            query?: {
                as_of?: string;
                currency?: string;
                customer_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getRevenue: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                currency?: string;
                by?: "month" | "week" | "day";
                group_by?: "customer" | "plan";
                customer_id?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Revenue"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    exportRevenue: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                currency?: string;
                by?: "month" | "week" | "day";
                group_by?: "customer" | "plan";
                customer_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getRecurringRevenue: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                currency?: string;
                customer_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecurringRevenue"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    exportRecurringRevenue: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                currency?: string;
                customer_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listRecurringRevenueMovements: {
        parameters: {
            query: {
                month: string;
                type?: "new" | "expansion" | "contraction" | "churn" | "reactivation";
                currency?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["RecurringRevenueMovement"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    generateInvoices: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    subscription_id: string;
                    /**
                     * @description Also end the current period now and bill this part of it.
                     * @default false
                     */
                    close_now?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["Invoice"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["Invoice"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    voidInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    regenerateInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string | null;
                    /** @default false */
                    dry_run?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegenerationPreview"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            /** @description Accepted. Location is the resource that reports the outcome. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Regeneration"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getRegeneration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Regeneration"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listLineItemEvents: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
                line_item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["Event"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listCreditGrants: {
        parameters: {
            query?: {
                customer_id?: string;
                from?: string;
                to?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["CreditGrant"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createCreditGrant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    customer_id: string;
                    /**
                     * @description In units of usage (events), above 0, with at most 6 decimals and 15 digits in total.
                     * @example 1000
                     */
                    amount: number;
                    expires_in_days?: number | null;
                    /**
                     * @description If true, the grant stays valid after the billing period in which it was created.
                     * @default false
                     */
                    rollover?: boolean | null;
                    /** @description Cover the charges of these events alone. */
                    event_names?: string[] | null;
                    /** @description Cover the usage of this subscription alone; without `rollover` the grant ends with its period. */
                    subscription_id?: string | null;
                    /** @description For people; erased with the customer. */
                    note?: string | null;
                    /**
                     * @description Return what the grant would be, with the day on which it ends, and store nothing.
                     * @default false
                     */
                    dry_run?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditGrantPreview"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditGrant"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    exportCreditLedger: {
        parameters: {
            query?: {
                customer_id?: string;
                from?: string;
                to?: string;
                month?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getCreditGrant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditGrant"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    voidCreditGrant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditGrant"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    search: {
        parameters: {
            query: {
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: (components["schemas"]["Customer"] | components["schemas"]["Invoice"] | components["schemas"]["CreditNote"] | components["schemas"]["Subscription"] | components["schemas"]["Payment"] | components["schemas"]["Event"] | components["schemas"]["PricingPlan"])[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    advanceTestClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    customer_id: string;
                    /**
                     * @description RFC 3339. You can omit the seconds, the offset (default UTC) or the whole time (default midnight). Stored to the millisecond: of up to 30 decimals of a second, the decimals after the third are dropped.
                     * @example 2026-01-31T00:00:00Z
                     */
                    to: string;
                    hold_drafts?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestClock"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                after?: number;
                types?: string;
                object_id?: string;
                customer_id?: string;
                limit?: number;
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedPage"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listPaymentProviders: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["PaymentProvider"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createPaymentProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    kind: "stripe";
                    /**
                     * @description The secret key, or a restricted one. It is tried, stored encrypted, and shown nowhere.
                     * @example sk_test_4eC39HqLyjWDarjtT1zdp7dc
                     */
                    secret_key: string;
                    /**
                     * @description Signs the events that the provider posts to `webhook_url`.
                     * @example whsec_3f7dNwqVkWQ0hQKfdrCrYyJc
                     */
                    webhook_secret?: string | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentProvider"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getPaymentProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentProvider"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    deletePaymentProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedPaymentProvider"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    updatePaymentProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The secret key, or a restricted one. It is tried, stored encrypted, and shown nowhere.
                     * @example sk_test_4eC39HqLyjWDarjtT1zdp7dc
                     */
                    secret_key?: string | null;
                    /**
                     * @description Signs the events that the provider posts to `webhook_url`.
                     * @example whsec_3f7dNwqVkWQ0hQKfdrCrYyJc
                     */
                    webhook_secret?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentProvider"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createPaymentMethodSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Where the page leads back to. The default is the portal.
                     * @example https://shop.example.com/account
                     */
                    return_url?: string | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodSession"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listPaymentMethods: {
        parameters: {
            query?: {
                customer_id?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["PaymentMethod"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    setDefaultPaymentMethod: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethod"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    removePaymentMethod: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethod"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getPaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethod"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["WebhookEndpoint"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Begins with https://, and leads to a public address.
                     * @example https://example.com/tidemark
                     */
                    url: string;
                    /**
                     * @description Names of types of changes, and patterns such as `invoice.*`. The default is all, later ones too.
                     * @example [
                     *       "invoice.*",
                     *       "payment.recorded"
                     *     ]
                     */
                    types?: string[] | null;
                    description?: string | null;
                    /**
                     * @description `thin` sends `data` as null.
                     * @default full
                     * @enum {string|null}
                     */
                    payload?: "full" | "thin" | null;
                    /** @description Begins after this number; else with what comes next. */
                    after?: number | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhookEndpoint"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedWebhookEndpoint"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Begins with https://, and leads to a public address.
                     * @example https://example.com/tidemark
                     */
                    url?: string | null;
                    /**
                     * @description Names of types of changes, and patterns such as `invoice.*`. The default is all, later ones too.
                     * @example [
                     *       "invoice.*",
                     *       "payment.recorded"
                     *     ]
                     */
                    types?: string[] | null;
                    description?: string | null;
                    /** @enum {string|null} */
                    payload?: "full" | "thin" | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    pauseWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    resumeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Goes on after this number. The changes that it passes over are listed as skipped. */
                    after?: number | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    replayWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    after: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhookEndpoint"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                status?: "pending" | "failing" | "delivered" | "skipped";
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["WebhookDelivery"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryWithTries"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    skipWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getStatement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statement"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getStatementPdf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    pauseInvoiceCollection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    reason: "disputed" | "promised" | "other";
                    /**
                     * @description The last day of the pause in the time zone of the customer: from today to 366 days ahead. Without it the pause lasts until it is resumed.
                     * @example 2026-01-31
                     */
                    until?: string | null;
                    note?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    resumeInvoiceCollection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    pauseCustomerCollection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    reason: "disputed" | "promised" | "other";
                    /**
                     * @description The last day of the pause in the time zone of the customer: from today to 366 days ahead. Without it the pause lasts until it is resumed.
                     * @example 2026-01-31
                     */
                    until?: string | null;
                    note?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    resumeCustomerCollection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listCollections: {
        parameters: {
            query?: {
                customer_id?: string;
                currency?: string;
                overdue?: "true" | "false";
                paused?: "true" | "false";
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["CollectionCase"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listEmails: {
        parameters: {
            query?: {
                customer_id?: string;
                invoice_id?: string;
                kind?: "invoice" | "credit_note" | "receipt" | "payment_failed" | "reminder" | "statement";
                status?: "queued" | "sent" | "refused" | "failed" | "kept" | "canceled";
                from?: string;
                to?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["Email"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Email"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getEmailFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "message/rfc822": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    sendInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Addresses instead of the customer's, each once. */
                    to?: string[] | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Email"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    sendCreditNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Addresses instead of the customer's, each once. */
                    to?: string[] | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Email"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    sendReceipt: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Addresses instead of the customer's, each once. */
                    to?: string[] | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Email"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    sendStatement: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Addresses instead of the customer's, each once. */
                    to?: string[] | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Email"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    resendEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Addresses instead of the customer's, each once. */
                    to?: string[] | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Email"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    cancelEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Email"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getEmailText: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: string;
                language: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailText"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    setEmailText: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: string;
                language: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    subject: string;
                    body: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailText"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    deleteEmailText: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                kind: string;
                language: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailText"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    chargeInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    payment_method_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentAttempt"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listPaymentAttempts: {
        parameters: {
            query?: {
                invoice_id?: string;
                customer_id?: string;
                status?: "pending" | "processing" | "action_required" | "succeeded" | "declined" | "canceled";
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["PaymentAttempt"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getPaymentAttempt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentAttempt"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createPaymentSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Saves the method for later charges. The default is false.
                     * @default false
                     */
                    save?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSession"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listPaymentSessions: {
        parameters: {
            query?: {
                invoice_id?: string;
                customer_id?: string;
                status?: "open" | "paid" | "expired";
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["PaymentSession"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getPaymentSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSession"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    refreshPaymentSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSession"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    refundPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Above 0, with at most the decimals of the currency.
                     * @example 12.5
                     */
                    amount?: string | number | null;
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listPaymentRefunds: {
        parameters: {
            query?: {
                payment_id?: string;
                invoice_id?: string;
                customer_id?: string;
                status?: "pending" | "succeeded" | "failed";
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["PaymentRefund"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getPaymentRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRefund"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listPaymentDisputes: {
        parameters: {
            query?: {
                payment_id?: string;
                invoice_id?: string;
                customer_id?: string;
                status?: "inquiry" | "open" | "won" | "lost";
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["PaymentDispute"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getPaymentDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDispute"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listPortalSessions: {
        parameters: {
            query?: {
                customer_id?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["PortalSession"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    createPortalSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    customer_id: string;
                    /** @description An issued invoice of the customer, at which the page opens. */
                    invoice_id?: string | null;
                    /** @default 60 */
                    expires_in_minutes?: number | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewPortalSession"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    revokePortalSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalSession"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getPortalSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalSession"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    updateAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string | null;
                    address?: {
                        line1?: string | null;
                        line2?: string | null;
                        postal_code?: string | null;
                        city?: string | null;
                        state?: string | null;
                        /**
                         * @description ISO 3166-1 alpha-2. Required if any other part is given.
                         * @example DE
                         */
                        country?: string | null;
                    } | null;
                    /** @description At most 5. */
                    tax_ids?: {
                        /** @enum {string} */
                        type: "eu_vat" | "gb_vat" | "ch_uid" | "us_ein" | "jp_trn" | "in_gst" | "au_abn" | "other";
                        /** @description Must have the form of its type. Stored without blanks, dots and hyphens, in capitals, with the letters of the country; of the type `other` without blanks and dots alone. */
                        value: string;
                    }[] | null;
                    /**
                     * @description An active ISO 4217 currency code with minor units.
                     * @example USD
                     */
                    currency?: string | null;
                    /**
                     * @description A percentage from 0 to 100.
                     * @example 12.5
                     */
                    tax_rate?: string | number | null;
                    /**
                     * @description The name of an IANA time zone.
                     * @example Europe/Berlin
                     */
                    timezone?: string | null;
                    /** @description Days from the issue of an invoice to its due date. */
                    net_days?: number | null;
                    /**
                     * @description Stands before the count in the numbers of invoices that are issued from now on.
                     * @example INV-
                     */
                    invoice_prefix?: string | null;
                    /** @description The count in the number of the first invoice. Can be raised until an invoice is issued. */
                    next_invoice_number?: number | null;
                    /** @description Text in one or more lines. */
                    invoice_footer?: string | null;
                    /** @description Whether PDFs leave out lines of quantity and amount 0. */
                    hide_zero_lines?: boolean | null;
                    /**
                     * @description Sites that may frame the page of portal links. For test and live data together.
                     * @example [
                     *       "https://app.example.com"
                     *     ]
                     */
                    portal_origins?: string[] | null;
                    /** @description How many days of 24 hours before the end of a billing period, the end of a trial and the expiry of credit the feed of changes tells that it comes; null: not at all. What is left out stays. */
                    notice_days?: {
                        renewal?: number | null;
                        trial_end?: number | null;
                        credit_expiry?: number | null;
                    } | null;
                    /** @enum {string|null} */
                    language?: "en" | "de" | "fr" | "it" | "es" | "nl" | null;
                    /** @description The emails that are sent by themselves, of what is issued from now on. */
                    email_kinds?: ("invoice" | "credit_note" | "receipt" | "payment_failed")[] | null;
                    email_reply_to?: string | null;
                    /** @description Gets a blind copy of each email. */
                    email_copy_to?: string | null;
                    email_attach?: ("pdf" | "xml")[] | null;
                    /** @description The hours of a day, in the customer's time zone, in which emails leave by themselves. A member that is left out stays. */
                    email_hours?: {
                        from?: number | null;
                        until?: number | null;
                    } | null;
                    /**
                     * @description The only addresses to which emails of test data leave.
                     * @example [
                     *       "ada@acme.com",
                     *       "*@acme.com"
                     *     ]
                     */
                    email_test_recipients?: string[] | null;
                    /**
                     * @description Whole days from the due date on which payers are reminded, ascending; none: not at all.
                     * @example [
                     *       -3,
                     *       1,
                     *       7,
                     *       14
                     *     ]
                     */
                    reminder_days?: number[] | null;
                    /**
                     * @description Whether invoices that are issued from now on are charged by themselves.
                     * @enum {string|null}
                     */
                    charge_mode?: "manual" | "automatic" | null;
                    /**
                     * @description When an invoice is charged first.
                     * @enum {string|null}
                     */
                    charge_on?: "issue" | "due_date" | null;
                    /**
                     * @description Whole days after the first charge on which it is tried again, ascending.
                     * @example [
                     *       3,
                     *       7,
                     *       14
                     *     ]
                     */
                    charge_retry_days?: number[] | null;
                    /** @description The bookkeeper's numbers of the accounts of the journal, in place of all before. A treatment and a rate are for `revenue` and `tax_payable`, a key for `revenue`. The closest holds: treatment and rate, `exempt` or `reverse_charge` alone, a rate alone, `standard` alone, neither. */
                    account_numbers?: {
                        /** @enum {string} */
                        account: "receivable" | "revenue" | "tax_payable" | "customer_balance" | "cash" | "adjustments";
                        /** @enum {string|null} */
                        tax_treatment?: "standard" | "exempt" | "reverse_charge" | null;
                        /**
                         * @description A percentage from 0 to 100.
                         * @example 12.5
                         */
                        tax_rate?: string | number | null;
                        /**
                         * @description One to nine digits.
                         * @example 8400
                         */
                        number: string;
                        /**
                         * @description The key by which DATEV takes tax out of a total. One to four digits.
                         * @example 3
                         */
                        tax_key?: string | null;
                    }[] | null;
                    /** @description The head of files for DATEV: consultant and client, the first day of the fiscal year, the first of a month, and the digits of the numbers of accounts. What is left out stays; null: no files. */
                    datev?: {
                        consultant?: number;
                        client?: number;
                        /** @example 01-01 */
                        fiscal_year_start?: string;
                        account_length?: number;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    getAccountLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    setAccountLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The PNG file in base64. */
                    png: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    deleteAccountLogo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the response is kept for 24 hours and returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                object_id?: string;
                customer_id?: string;
                actor?: string;
                action?: "customer.created" | "customer.updated" | "customer.deleted" | "customer.redacted" | "customer.collection_paused" | "customer.collection_resumed" | "pricing_plan.created" | "pricing_plan.updated" | "plan_migration.created" | "plan_migration.finished" | "subscription.created" | "subscription.updated" | "subscription.canceled" | "subscription.woken" | "invoice.issued" | "invoice.voided" | "invoice.collection_paused" | "invoice.collection_resumed" | "transfer.recorded" | "payment.recorded" | "payment.reversed" | "credit_note.issued" | "credit_note.voided" | "balance_entry.created" | "month.closed" | "month.opened" | "invoice_item.created" | "invoice_item.deleted" | "discount.created" | "discount.updated" | "credit_grant.created" | "credit_grant.voided" | "test_clock.advanced" | "account.updated" | "api_key.created" | "api_key.revoked" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.deleted" | "user.invited" | "user.updated" | "user.removed" | "session.created" | "session.revoked" | "passkey.created" | "passkey.removed" | "portal_session.created" | "portal_session.revoked" | "email.created" | "email.canceled" | "email_text.updated" | "email_text.deleted" | "payment_attempt.created" | "payment_method.updated" | "payment_method_session.created" | "payment_provider.created" | "payment_provider.updated" | "payment_provider.deleted" | "payment_session.created" | "payment_refund.created";
                sign_ins?: "true" | "false";
                from?: string;
                to?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["AuditEntry"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
    exportAuditLog: {
        parameters: {
            query?: {
                object_id?: string;
                customer_id?: string;
                actor?: string;
                action?: "customer.created" | "customer.updated" | "customer.deleted" | "customer.redacted" | "customer.collection_paused" | "customer.collection_resumed" | "pricing_plan.created" | "pricing_plan.updated" | "plan_migration.created" | "plan_migration.finished" | "subscription.created" | "subscription.updated" | "subscription.canceled" | "subscription.woken" | "invoice.issued" | "invoice.voided" | "invoice.collection_paused" | "invoice.collection_resumed" | "transfer.recorded" | "payment.recorded" | "payment.reversed" | "credit_note.issued" | "credit_note.voided" | "balance_entry.created" | "month.closed" | "month.opened" | "invoice_item.created" | "invoice_item.deleted" | "discount.created" | "discount.updated" | "credit_grant.created" | "credit_grant.voided" | "test_clock.advanced" | "account.updated" | "api_key.created" | "api_key.revoked" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.deleted" | "user.invited" | "user.updated" | "user.removed" | "session.created" | "session.revoked" | "passkey.created" | "passkey.removed" | "portal_session.created" | "portal_session.revoked" | "email.created" | "email.canceled" | "email_text.updated" | "email_text.deleted" | "payment_attempt.created" | "payment_method.updated" | "payment_method_session.created" | "payment_provider.created" | "payment_provider.updated" | "payment_provider.deleted" | "payment_session.created" | "payment_refund.created";
                sign_ins?: "true" | "false";
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["invalid_request"];
            401: components["responses"]["unauthorized"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
        };
    };
}
