/** Ids of the one story that all examples tell, in the order of their creation. */
export const CUSTOMER = 'cus_01kdvzkhr0e8g97sykymcbsj97';
export const PLAN = 'plan_01kdvznc60f259hrksqnc2yqqv';
export const CHARGE = 'chg_01kdvznc60f259hrm43y580fw0';
export const STORAGE_PLAN = 'plan_01kdvzps60f259hrme0svqvv35';
export const TOKENS_PLAN = 'plan_01m800rkse3kq0v8w2xt5nzb7d';
export const SUPPORT_PLAN = 'plan_01kdvzps60f259hrn8h2w5x9qe';
export const CUSTOM_PLAN = 'plan_01kdvzps60f259hrnb4q8s2zvk';
export const SUBSCRIPTION = 'sub_01kdvzt3y0f259hrne6m33d3k5';
export const GRANT = 'cg_01kdvzwg40f259hrnh5fahmhrw';
export const EVENTS = [
  'evt_5r7r1215e4htfkbk0tvq9kkdfb',
  'evt_162qne2djfcwkm60bww59zfyvq',
  'evt_7yg81tymx99rz6ey7jk5ddy6wh',
] as const;
export const CHANGE = 'chn_01kdvzwgq0f259hrnh5fahmhrx';
export const LATE_EVENT = 'evt_6ye2sa0fd8wjrzk2jh65pv1jzj';
export const FEBRUARY_EVENT = 'evt_4az0m5x13w3a1zr664gcs890y2';
export const INVOICE = 'inv_01kgbtzk40f259hrnywwde1ktz';
export const LINE = 'li_01kgbtzk41f259hrp53z0140gq';
export const REGENERATION = 'reg_01kgbv3fm0f259hrqm3v9k0x2c';
/** Created by the dry run, which is rolled back. */
export const PROPOSED_INVOICE = 'inv_01kgbv1xs0f259hrpr0dj7nk0k';
export const PROPOSED_LINE = 'li_01kgbv1xs1f259hrq5fz7mhxqv';
export const NEW_INVOICE = 'inv_01kgbv3fr0f259hrqvzb3ta50r';
export const NEW_LINE = 'li_01kgbv3fr1f259hrr275drpwz9';
export const MISTAKEN_PAYMENT = 'pay_01kgbv5em0fvgb3vzxnj2xxpac';
export const PAYMENT = 'pay_01kgbv7d80fvgb3w041zz3mew3';
export const CREDIT_NOTE = 'cn_01kgbv9870fvgb3w05pry82y0w';
export const CREDITED_BALANCE = 'bal_01kgbv9871fvgb3w0gy5kq1j2e';
export const UNCREDITED_BALANCE = 'bal_01kgbvb5s0fvgb3w0rjt4nqs1v';
export const KEY = 'key_01kdvzj0q0fvgb3w0ahp9mdv0t';
export const FEBRUARY_INVOICE = 'inv_01kjkxb0w0f259hrrkr524d5kt';
export const FEBRUARY_LINE = 'li_01kjkxb0w1f259hrryxr1s1f41';
export const GENERATED_INVOICE = 'inv_01kjkxfp80f259hrsrxzdsg8jc';
export const GENERATED_LINE = 'li_01kjkxfp81f259hrt2baxrsk41';
export const AUDIT_ENTRY = 'aud_01kjkxgd00f259hrtw7m2c5x9v';
export const PORTAL_SESSION = 'ps_01kjkxgn80f259hrt8qb6n3c4d';
export const OTHER_PORTAL_SESSION = 'ps_01kjkxhm5af259hrt8qb6n3c4e';
export const OPENING_PORTAL_SESSION = 'ps_01kjkxhn7cf259hrt8qb6n3c4f';
export const ADJUSTMENT = 'bal_01kjkxha60f259hrt8sgcb5k0z';
export const APPLIED_BALANCE = 'bal_01kjkxj1r0f259hrtb6wvq2y5n';
export const DEPOSIT = 'pay_01kjkxj8g0f259hrtdc6w1y7kn';
export const TRANSFER = 'trf_01kjkxjfp0f259hrtegrx2m9vd';
export const PAYMENTS_OF_TRANSFER = [
  'pay_01kjkxjfp1f259hrtek7d5w3bn',
  'pay_01kjkxjfp2f259hrtenb4h8c6q',
] as const;
export const ITEM = 'ii_01kjkxjxd0f259hrtfqk3v8z4m';
export const DISCOUNT = 'dis_01kjkxjyq0f259hrtg4h8s2wke';
export const AMOUNT_DISCOUNT = 'dis_01kjkxjz20f259hrtg5v7m3xna';
export const TRIAL_SUBSCRIPTION = 'sub_01kjkxn5m0f259hrthm5c8p2qb';
export const SEATS_PLAN = 'plan_01kjkxn6t0f259hrtj2c8w4xsb';
export const SEATS_CHARGE = 'chg_01kjkxn6t0f259hrtk9d3v6pqa';
export const SEATS_SUBSCRIPTION = 'sub_01kjkxn8d0f259hrtm7b5y2nza';
export const VOIDED_GRANT = 'cg_01kjkxm8r0f259hrtgzwva1pab';
export const DELETED_CUSTOMER = 'cus_01kjkxq0h0f259hrv3p6x8n2ma';
export const MIGRATION = 'mig_01kjkxk2t0f259hrtfm9c4w8xe';
export const INVOICE_EMAIL = 'eml_01kgbv8a20fvgb3w05h7m2c4xe';
export const ELSEWHERE_EMAIL = 'eml_01kgbv8b30fvgb3w05h8n3d5yf';
export const CREDIT_NOTE_EMAIL = 'eml_01kgbv8c40fvgb3w05h9p4e6zg';
export const RECEIPT_EMAIL = 'eml_01kgbv8d50fvgb3w05haq5f70h';
export const STATEMENT_EMAIL = 'eml_01kgbtzp50f259hrnyx1f6g82j';
export const PROVIDER = 'pp_01kgbv8e60fvgb3w05hb7r3d5x';
export const METHOD = 'pmd_01kgbv8f70fvgb3w05hc8s4e6y';
export const CHARGED_INVOICE = 'inv_01kgbv8g80fvgb3w05hd9t5f7z';
export const CHARGED_METHOD = 'pmd_01kgbv8h90fvgb3w05he0v6g80';
export const ATTEMPT = 'pat_01kgbv8ja0fvgb3w05hf1w7h91';
export const CHARGE_PAYMENT = 'pay_01kgbv8kb0fvgb3w05hg2x8ja2';
export const PAID_INVOICE = 'inv_01kgbv8mc0fvgb3w05hh3y9kb3';
export const PAYMENT_SESSION = 'pys_01kgbv8nd0fvgb3w05hj4z0mc4';
export const REFUND = 'prf_01kgbv8mc0fvgb3w05hh3y9kb3';
export const REST_PAYMENT = 'pay_01kgbv8nd0fvgb3w05hj4z0mc4';
export const DISPUTE = 'pdp_01kgbv8pe0fvgb3w05hk50bnd5';
export const ENDPOINT = 'whe_01kdvzx3h0f259hrnkq8m5t2wd';
export const DELIVERY = 'whd_01kdvzx4g0f259hrnmvb7p3c6e';
export const TEST_DELIVERY = 'whd_01kdvzx5f0f259hrnnxc9q4d8f';
export const TEST_CHANGE = 'chn_01kdvzx5f1f259hrnp0dak5e9g';
