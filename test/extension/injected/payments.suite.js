import assert from 'node:assert/strict';
import { test } from 'node:test';

const PAYS = [
  'Pay now', 'Buy now', 'Place your order', '$ 20 – Pay', 'PURCHASE',
  'Payer 20 €', 'Passer la commande', 'Confirmer l’achat', 'Valider ma commande', 'ACHETER',
  'Jetzt kaufen', 'Zahlungspflichtig bestellen', 'Jetzt bezahlen', 'Kauf abschließen',
  'Pagar ahora', 'Realizar pedido', 'Confirmar compra', 'Comprar ahora',
  'Acquista ora', 'Paga adesso', 'Conferma l\'ordine', 'Effettua il pagamento',
  'Finalizar compra', 'Comprar já', 'Confirmar o pagamento',
  'Betalen', 'Nu kopen', 'Bestelling plaatsen', 'Bestellen en betalen',
  'Zapłać', 'KUPUJĘ I PŁACĘ', 'Złóż zamówienie', 'Kup teraz',
  '今すぐ買う', '注文を確定する', '購入する', '支払う',
  '立即支付', '提交订单', '確認付款', '¥99 立即购买',
  '결제하기', '바로구매', '주문하기',
  'Оплатить', 'КУПИТЬ', 'Оформить заказ', 'Подтвердить платеж',
  'Satın al', 'SATIN AL', 'Ödeme yap', 'Siparişi onayla',
  'ادفع الآن', 'إتمام الشراء', 'تأكيد الطلب', 'اشترِ الآن',
  'Betala', 'Zaplatit', 'Bayar', 'Thanh toán', 'भुगतान करें',
];

const PAYS_NOTHING = [
  'Payment methods', 'Paypal', 'Payload', 'Order history', 'Continue', 'Sign in', 'Buyers',
  'Paiements et factures', 'Commandes', 'Zahlungsarten', 'Kaufhaus', 'Pagos', 'Compras', 'Ordini', 'Pedidos',
  'Bestellingen', 'Zamówienia', 'お支払い方法', '注文履歴', '支付方式', '我的订单', '결제 수단', '주문 내역',
  'Заказы', 'Ödeme yöntemleri', 'Siparişlerim', 'طلباتي', 'Weiter', 'Suivant', '次へ', '下一步', 'التالي',
];

/** @param {import('../../support/pages.mjs').PageBench} bench */
export function paymentsSuite(bench) {
  /** @param {string[]} names */
  async function thatPay(names) {
    const page = await bench.show(names.map((name) => `<button type="button">${name}</button>`).join(''));
    await page.snapshot();
    const answers = [];
    for (let n = 1; n <= names.length; n++) answers.push(await page.call('locate', { session: 'a', ref: `r${n}`, for: 'click', leads: true }));
    return names.filter((_, index) => answers[index].pays);
  }

  // SEC-5
  test('a button that pays is known in many languages', async () => {
    assert.deepEqual(await thatPay(PAYS), PAYS);
  });

  // SEC-5: who is asked too often answers without reading
  test('what is only about payments is not one', async () => {
    assert.deepEqual(await thatPay(PAYS_NOTHING), []);
  });
}
