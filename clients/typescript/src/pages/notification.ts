/** Made of the OpenAPI page by npm run pages. */
export interface paths {
    "/notify/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The channels of every type */
        get: operations["listChannels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notify/channels/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the channels of a type
         * @description Counts for the next notification. With none, nothing is sent, and that is a success.
         */
        put: operations["updateChannel"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notify/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Liveness */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notify/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Notifications, newest first
         * @description One whose channels are still being tried appears when they have been.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notify/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a notification over its channels
         * @description Answers once every channel was tried. 200 when one delivered or none had to; 502 when all that were tried failed. The same signed request again, and the same key and body, get the first answer with `Idempotent-Replayed: true`.
         */
        post: operations["sendNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notify/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The templates of all types */
        get: operations["listTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notify/templates/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The template of a type */
        get: operations["getTemplate"];
        /**
         * Change the template of a type
         * @description Parts that are left out stay. Makes a new version, which the next notification uses; a body that changes nothing makes none.
         */
        put: operations["updateTemplate"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notify/templates/{type}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render a template without sending it
         * @description As it would be sent, with a flag for each channel that would tell health data where it does not belong.
         */
        post: operations["previewTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notify/templates/{type}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a template to somebody, to see how it arrives
         * @description Over the channels configured for the type; answers and logs as `POST /notify/send`.
         */
        post: operations["testTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notify/templates/{type}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every version of a template, newest first */
        get: operations["listTemplateVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notify/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Which of the client's own messages were sent, by their idempotency keys
         * @description Type and channels only: neither what they said nor to whom.
         */
        post: operations["listMessagesOfTimeline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Readiness */
        get: operations["getReady"];
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
        ChannelConfig: {
            chat: boolean;
            crm: boolean;
            email: boolean;
            sms: boolean;
            /** @enum {string} */
            type: "welcome" | "otp" | "password_reset" | "information_changed" | "prescription_changed" | "what_to_expect" | "doctor_message" | "support_message" | "first_prescription" | "new_prescription" | "new_refill" | "four_month_checkin" | "subscription_renewal" | "payment_method_updated" | "doctor_reviewed" | "magic_link" | "follow_up_due" | "follow_up_past_due" | "follow_up_two_days" | "checkin_renewal" | "visit_scheduled" | "visit_upcoming" | "visit_complete" | "three_month_checkin" | "billing_plan_change" | "pending_payment" | "treatment_change" | "balance_expiring" | "questionnaire_link" | "first_order_confirmation" | "order_confirmation" | "receipt" | "order_edited" | "order_canceled" | "abandoned_checkout" | "abandoned_post_checkout" | "payment_error" | "lab_received" | "lab_resulted" | "lab_rejected" | "treatment_active" | "first_shipping_confirmation" | "shipping_confirmation" | "shipping_update" | "delivery_tomorrow" | "out_for_delivery" | "delivered" | "prescription_approved" | "prescription_denied";
        };
        ChannelResult: {
            /** @enum {string} */
            channel: "email" | "sms" | "crm" | "chat" | "push";
            /** @description Why it failed */
            error?: string;
            providerMessageId?: string;
            /** @description Why it was skipped */
            reason?: string;
            /** @enum {string} */
            status: "sent" | "failed" | "skipped";
        };
        ChannelSettings: {
            chat: boolean;
            crm: boolean;
            email: boolean;
            sms: boolean;
        };
        Health: {
            service: string;
            /** @constant */
            status: "ok";
            timestamp: string;
        };
        InternalError: {
            error: string;
            requestId: string;
        };
        LogEntry: {
            channels: components["schemas"]["ChannelResult"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            /** @description Required ones that were left out, or had no text to render */
            missingVariables: string[];
            /** @enum {string} */
            notificationType: "welcome" | "otp" | "password_reset" | "information_changed" | "prescription_changed" | "what_to_expect" | "doctor_message" | "support_message" | "first_prescription" | "new_prescription" | "new_refill" | "four_month_checkin" | "subscription_renewal" | "payment_method_updated" | "doctor_reviewed" | "magic_link" | "follow_up_due" | "follow_up_past_due" | "follow_up_two_days" | "checkin_renewal" | "visit_scheduled" | "visit_upcoming" | "visit_complete" | "three_month_checkin" | "billing_plan_change" | "pending_payment" | "treatment_change" | "balance_expiring" | "questionnaire_link" | "first_order_confirmation" | "order_confirmation" | "receipt" | "order_edited" | "order_canceled" | "abandoned_checkout" | "abandoned_post_checkout" | "payment_error" | "lab_received" | "lab_resulted" | "lab_rejected" | "treatment_active" | "first_shipping_confirmation" | "shipping_confirmation" | "shipping_update" | "delivery_tomorrow" | "out_for_delivery" | "delivered" | "prescription_approved" | "prescription_denied";
            recipientEmail: string | null;
            recipientPhone: string | null;
            /** @enum {string} */
            status: "sent" | "partial" | "failed";
        };
        MessagesTimelineRequest: {
            keys: string[];
        };
        NotificationFailed: {
            channels: components["schemas"]["ChannelResult"][];
            error: string;
            /** Format: uuid */
            logId: string;
            /** @constant */
            success: false;
        };
        PreviewTemplate: {
            /** @description Values for the placeholders of the templates */
            variables: {
                [key: string]: unknown;
            };
        };
        Readiness: {
            checks: {
                [key: string]: "ok" | "failed";
            };
            /** @enum {string} */
            status: "ok" | "failed";
        };
        Refusal: {
            error: string;
        };
        SendNotification: {
            /** @description Instead of the channels configured for the type */
            channels?: ("email" | "sms" | "crm" | "chat" | "push")[];
            /** @description At least one of email and phone */
            recipient: {
                /** Format: email */
                email?: string;
                name?: string;
                phone?: string;
            };
            /** @description A notification type, such as `prescription_approved` */
            type: string;
            /** @description Values for the placeholders of the templates */
            variables: {
                [key: string]: unknown;
            };
        };
        Template: {
            /** Format: date-time */
            createdAt: string;
            /** @description The admin; null for a template that came with the service */
            createdBy: string | null;
            emailHtml: string;
            emailSubject: string;
            emailText: string;
            /** @description Those of them that say something about health */
            healthVariables: string[];
            /** @description What the template of this type counts on */
            requiredVariables: string[];
            /** @description Empty: no text message is sent */
            smsBody: string;
            /** @enum {string} */
            type: "welcome" | "otp" | "password_reset" | "information_changed" | "prescription_changed" | "what_to_expect" | "doctor_message" | "support_message" | "first_prescription" | "new_prescription" | "new_refill" | "four_month_checkin" | "subscription_renewal" | "payment_method_updated" | "doctor_reviewed" | "magic_link" | "follow_up_due" | "follow_up_past_due" | "follow_up_two_days" | "checkin_renewal" | "visit_scheduled" | "visit_upcoming" | "visit_complete" | "three_month_checkin" | "billing_plan_change" | "pending_payment" | "treatment_change" | "balance_expiring" | "questionnaire_link" | "first_order_confirmation" | "order_confirmation" | "receipt" | "order_edited" | "order_canceled" | "abandoned_checkout" | "abandoned_post_checkout" | "payment_error" | "lab_received" | "lab_resulted" | "lab_rejected" | "treatment_active" | "first_shipping_confirmation" | "shipping_confirmation" | "shipping_update" | "delivery_tomorrow" | "out_for_delivery" | "delivered" | "prescription_approved" | "prescription_denied";
            version: number;
        };
        TemplateChanges: {
            emailHtml?: string;
            emailSubject?: string;
            emailText?: string;
            smsBody?: string;
        };
        TemplatePreview: {
            emailHtml: string;
            emailSubject: string;
            emailText: string;
            /** @description Text message, or enabled channels, that would tell health data; absent if none */
            healthData?: {
                /** @enum {string} */
                channel: "sms" | "crm" | "chat";
                variables: string[];
            }[];
            /** @description Empty: no text message is sent */
            smsBody: string;
        };
        TestTemplate: {
            /** @description At least one of email and phone */
            recipient: {
                /** Format: email */
                email?: string;
                name?: string;
                phone?: string;
            };
            /**
             * @description Values for the placeholders of the templates
             * @default {}
             */
            variables: {
                [key: string]: unknown;
            };
        };
        TimelineEntry: {
            /** Format: date-time */
            at: string;
            /**
             * @description `gap`: this service did not tell its part
             * @enum {string}
             */
            kind: "run" | "step" | "order" | "pharmacy" | "hold" | "callback" | "charge" | "refund" | "shipment" | "message" | "refill" | "work_item" | "cancellation" | "gap";
            /** @description The run in the Web UI */
            link: string | null;
            /** @description Who tells of it, such as `router` */
            service: string;
            state: string | null;
            text: string;
        };
        TimelinePart: {
            entries: components["schemas"]["TimelineEntry"][];
        };
        Unfinished: {
            error: string;
        } & {
            [key: string]: unknown;
        };
        ValidationRefusal: {
            details?: {
                message: string;
                path: string;
            }[];
            error: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listChannels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        channels: components["schemas"]["ChannelConfig"][];
                    };
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    updateChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Type of notification */
                type: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelSettings"];
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        channel: components["schemas"]["ChannelConfig"];
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Bad request"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                cursor?: string;
                from?: string;
                limit?: number;
                /** @description An e-mail address, or a phone number as the sender wrote it */
                recipient?: string;
                status?: "sent" | "partial" | "failed";
                to?: string;
                type?: "welcome" | "otp" | "password_reset" | "information_changed" | "prescription_changed" | "what_to_expect" | "doctor_message" | "support_message" | "first_prescription" | "new_prescription" | "new_refill" | "four_month_checkin" | "subscription_renewal" | "payment_method_updated" | "doctor_reviewed" | "magic_link" | "follow_up_due" | "follow_up_past_due" | "follow_up_two_days" | "checkin_renewal" | "visit_scheduled" | "visit_upcoming" | "visit_complete" | "three_month_checkin" | "billing_plan_change" | "pending_payment" | "treatment_change" | "balance_expiring" | "questionnaire_link" | "first_order_confirmation" | "order_confirmation" | "receipt" | "order_edited" | "order_canceled" | "abandoned_checkout" | "abandoned_post_checkout" | "payment_error" | "lab_received" | "lab_resulted" | "lab_rejected" | "treatment_active" | "first_shipping_confirmation" | "shipping_confirmation" | "shipping_update" | "delivery_tomorrow" | "out_for_delivery" | "delivered" | "prescription_approved" | "prescription_denied";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "id": "ab087e2f-4426-58d8-929c-93bd95a250e4",
                     *           "notificationType": "welcome",
                     *           "recipientEmail": "ada@patients.test",
                     *           "recipientPhone": null,
                     *           "channels": [
                     *             {
                     *               "channel": "email",
                     *               "status": "sent",
                     *               "providerMessageId": "<ab087e2f-4426-58d8-929c-93bd95a250e4.email@scriptrail.test>"
                     *             }
                     *           ],
                     *           "status": "sent",
                     *           "missingVariables": [
                     *             "patientName"
                     *           ],
                     *           "createdAt": "2026-11-23T11:26:48.028Z"
                     *         }
                     *       ],
                     *       "nextCursor": "ImFiMDg3ZTJmLTQ0MjYtNThkOC05MjljLTkzYmQ5NWEyNTBlNCI"
                     *     }
                     */
                    "application/json": {
                        entries: components["schemas"]["LogEntry"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    sendNotification: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again: the same answer, and nothing is sent twice (D70) */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "welcome",
                 *       "recipient": {
                 *         "email": "ada@patients.test"
                 *       },
                 *       "variables": {
                 *         "firstName": "Ada"
                 *       },
                 *       "channels": [
                 *         "email"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SendNotification"];
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "channels": [
                     *         {
                     *           "channel": "email",
                     *           "status": "sent",
                     *           "providerMessageId": "<ab087e2f-4426-58d8-929c-93bd95a250e4.email@scriptrail.test>"
                     *         }
                     *       ],
                     *       "logId": "ab087e2f-4426-58d8-929c-93bd95a250e4"
                     *     }
                     */
                    "application/json": {
                        channels: components["schemas"]["ChannelResult"][];
                        /** Format: uuid */
                        logId: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description It does not agree with what is there */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A party behind us has refused, or did not answer */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationFailed"];
                };
            };
        };
    };
    listTemplates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        templates: components["schemas"]["Template"][];
                    };
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Type of notification */
                type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "template": {
                     *         "type": "welcome",
                     *         "emailSubject": "Welcome to Scriptrail",
                     *         "emailHtml": "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"supported-color-schemes\" content=\"light dark\">\n<title>Scriptrail</title>\n<style>\n  p { margin: 0 0 16px; }\n  @media (prefers-color-scheme: dark) {\n    .page { background: #14181d !important; }\n    .card { background: #1f252c !important; color: #e8ecf0 !important; }\n    .focus { background: #2b333c !important; color: #ffffff !important; }\n    .quiet { color: #9aa6b2 !important; }\n    .brand { color: #7fc4b8 !important; }\n  }\n</style>\n</head>\n<body class=\"page\" style=\"margin:0;padding:0;background:#f2f4f6\">\n<table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\"><tr><td align=\"center\" style=\"padding:24px 12px\">\n<table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" style=\"max-width:560px;text-align:left;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif\">\n<tr><td class=\"brand\" style=\"padding:0 8px 12px;font-size:18px;font-weight:600;color:#0f6b5f\">Scriptrail</td></tr>\n<tr><td class=\"card\" style=\"overflow-wrap:anywhere;word-break:break-word;padding:28px 24px 12px;border-radius:12px;background:#ffffff;color:#1d252c;font-size:16px;line-height:1.5\">\n<p>Hello {{patientName}},</p>\n<p>Welcome. Your account is ready, and your care team will guide you through every step from here.</p>\n</td></tr>\n<tr><td class=\"quiet\" style=\"padding:16px 8px;font-size:13px;line-height:1.5;color:#5d6873\">This message was sent automatically about your care or your account. Please do not reply with medical details.</td></tr>\n</table>\n</td></tr></table>\n</body>\n</html>\n",
                     *         "emailText": "Hello {{patientName}},\n\nWelcome. Your account is ready, and your care team will guide you through every step from here.",
                     *         "smsBody": "",
                     *         "requiredVariables": [
                     *           "patientName"
                     *         ],
                     *         "healthVariables": [],
                     *         "version": 1,
                     *         "createdAt": "2026-11-23T11:26:12.372Z",
                     *         "createdBy": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        template: components["schemas"]["Template"];
                    };
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    updateTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Type of notification */
                type: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateChanges"];
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        template: components["schemas"]["Template"];
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    previewTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Type of notification */
                type: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewTemplate"];
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePreview"];
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    testTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Type of notification */
                type: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestTemplate"];
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        channels: components["schemas"]["ChannelResult"][];
                        /** Format: uuid */
                        logId: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A party behind us has refused, or did not answer */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationFailed"];
                };
            };
            /** @description Not known yet, or not to be done now; the same request finds out after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unfinished"];
                };
            };
        };
    };
    listTemplateVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Type of notification */
                type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        versions: {
                            /** Format: date-time */
                            createdAt: string;
                            /** @description The admin; null for a template that came with the service */
                            createdBy: string | null;
                            emailHtml: string;
                            emailSubject: string;
                            emailText: string;
                            /** @description Empty: no text message is sent */
                            smsBody: string;
                            version: number;
                        }[];
                    };
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    listMessagesOfTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessagesTimelineRequest"];
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelinePart"];
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    getReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Bad request"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Not known yet, or not to be done now; the same request finds out after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
}
