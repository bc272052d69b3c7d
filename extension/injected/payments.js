// Words on buttons that pay, in the languages that most people read the web in. A button that pays in none of them is
// still known by the card fields of its form.

/* global tandemPage */
tandemPage.part('payments', () => {
  /** What a button begins with, up to the end of a word. */
  const SPACED = {
    en: 'pay|buy now|purchase|order now|place (?:your |my |the )?order|(?:complete|confirm|submit) (?:your |my |the )?(?:payment|purchase|order)',
    fr: "payer|payez|régler|acheter|achetez|commander|passer (?:la |ma |votre )?commande|(?:valider|confirmer|finaliser|effectuer) (?:et payer|(?:la |ma |votre |mon |le |l')?(?:commande|achat|paiement|paiements))|commande avec obligation de paiement",
    de: '(?:jetzt |sicher )?(?:be)?zahlen|(?:jetzt |sofort )?kaufen|jetzt bestellen|(?:zahlungs|kosten)pflichtig (?:be)?(?:stellen|buchen)|(?:kauf|zahlung|bestellung) (?:abschließen|bestätigen|abschicken|aufgeben)',
    es: 'pagar|paga ahora|comprar|compra ahora|(?:realizar|hacer|confirmar|finalizar|completar|efectuar|enviar) (?:(?:el|la|mi|tu|su) )?(?:pedido|pago|compra|orden)',
    it: "paga|pagare|acquista|acquistare|compra (?:ora|subito|adesso)|ordina (?:ora|e paga)|ordine con obbligo di pagamento|(?:effettua|conferma|completa|invia|concludi) (?:il |l')?(?:pagamento|ordine|acquisto)",
    pt: 'pagar|pague agora|comprar|compre (?:agora|já)|(?:finalizar|confirmar|concluir|efetuar|efectuar|fazer|realizar|fechar) (?:(?:a|o|meu|seu) )?(?:compra|pedido|pagamento|encomenda)',
    nl: '(?:nu )?(?:betalen|kopen)|koop nu|nu bestellen|afrekenen|bestellen (?:en|met) beta(?:len|alplicht|lingsverplichting)|(?:bestelling|betaling|aankoop) (?:plaatsen|bevestigen|afronden)|bevestig (?:je |uw )?(?:bestelling|betaling)',
    pl: 'zapłać|płacę|kup teraz|kupuję|zamów i zapłać|zamawiam|złóż zamówienie|(?:potwierdź|opłać|sfinalizuj) (?:zamówienie|płatność|zakup)',
    ru: 'оплатить|заплатить|купить|оформить заказ|сделать заказ|(?:подтвердить|завершить|отправить) (?:заказ|оплату|покупку|платёж)',
    uk: 'оплатити|сплатити|купити|оформити замовлення|(?:підтвердити|завершити) (?:замовлення|оплату|покупку|платіж)',
    tr: 'öde|ödeme yap|ödemeyi (?:yap|tamamla|onayla)|satın al|hemen al|şimdi al|sipariş(?:i)? (?:ver|tamamla|onayla)|alışverişi tamamla',
    ar: 'ادفع|دفع|الدفع|سداد|اشتر|اشتري|شراء|اطلب الآن|(?:إتمام|اتمام|أكمل|إكمال|تأكيد|أكد|إرسال) (?:عملية )?(?:الطلب|الدفع|الشراء|طلبك)',
    sv: '(?:betala|köp)(?: nu)?|slutför (?:köp|köpet|betalning)|bekräfta (?:köp|köpet|betalning)|lägg beställning',
    cs: 'zaplatit|koupit|objednat s povinností platby|(?:dokončit|potvrdit|odeslat) (?:objednávku|platbu|nákup)',
    id: 'bayar|beli sekarang|buat pesanan|konfirmasi (?:pesanan|pembayaran)|selesaikan (?:pesanan|pembayaran)',
    vi: 'thanh toán|mua ngay|đặt hàng|xác nhận (?:đơn hàng|thanh toán)',
    hi: 'भुगतान करें|अभी खरीदें|खरीदें|ऑर्डर करें|ऑर्डर दें',
  };

  /** Words stand without spaces here, so these count wherever they are; a choice of how to pay is no payment. */
  const JOINED = {
    ja: '(?:支払|決済)(?:う|い|する|を(?:確定|完了|行う)|へ進む)(?!方法|手段|回数)|今すぐ(?:買|購入|支払|決済)|購入(?:する|を確定|を確認|手続きを完了)|注文(?:する|を確定|を送信)|ご注文を確定',
    zh: '(?:立即|确认|確認|马上|馬上|去|现在|現在)?(?:支付|付款)(?!方式|方法|设置|設定|记录|紀錄|密码|密碼)|(?:立即|马上|馬上|确认|確認)(?:购买|購買|下单|下單)|提交(?:订单|訂單)|(?:确认|確認)(?:订单|訂單)',
    ko: '결제(?:하기|하다|완료|진행|요청)|(?:바로|지금|즉시) ?(?:구매|결제|주문)|(?:구매|주문)(?:하기|확정|완료)|[0-9] ?원 ?결제',
  };

  /** Case, accents and the shapes of letters do not matter. @param {string} text */
  const plain = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i').replace(/[’‘]/g, "'").replace(/\s+/g, ' ');

  const spaced = new RegExp(`^(?:${plain(Object.values(SPACED).join('|'))})(?![\\p{L}\\p{N}])`, 'u');
  const joined = new RegExp(plain(Object.values(JOINED).join('|')), 'u');

  tandemPage.payments = {
    /** @param {string} name of a button */
    says(name) {
      const text = plain(name);
      return spaced.test(text.replace(/^[^\p{L}]+/u, '')) || joined.test(text);
    },
  };
  return {};
});
