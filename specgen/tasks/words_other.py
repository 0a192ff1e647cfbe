"""A few request words of Turkish, Romanian, Hungarian, Indonesian, Vietnamese, Greek, Arabic, Hebrew, Hindi and others."""
# ruff: noqa: RUF001  (letters of other scripts are meant)

from __future__ import annotations

OTHERS = {
    "summary": """
        özet*, özeti, ana fikir*, ana nokta*, önemli nokta*, rezuma*, rezumat*, rezumă*, punctele principale,
        ideile principale, összefoglal*, foglal* ~ össze, főbb pont*, lényeg*, ringkas*, rangkum*, poin utama,
        poin penting, intisari, inti, tóm tắt, tóm lược, ý chính, điểm chính, περίληψη, συνόψισ*, σύνοψη,
        κύρια σημεία, لخص*, تلخيص, ملخص*, خلاصة, النقاط الرئيسية, أهم النقاط, סכם*, תקציר, סיכום, נקודות עיקריות,
        खलासा, सारांश*, संक्षेप*, मुख्य बिंदु*, резюмирай*, обобщение, сажми, сажетак, sažmi*, sažetak*, povzemi*""",
    "shorten": """
        kısalt*, daha kısa, scurteaz*, rövidíts*, rövidebb*, persingkat*, pendekkan, rút gọn, συντόμευσε, اختصر*,
        קצר*""",
    "proofread": """
        yazım*, imla*, dilbilgi*, noktalama*, ortografi*, gramatical*, punctuați*, helyesír*, nyelvtan*, elírás*,
        ejaan*, tata bahasa, salah ketik, chính tả, ngữ pháp, ορθογραφ*, γραμματικ*, الأخطاء الإملائية, إملائي*,
        النحو, نحوي*, שגיאות כתיב, כתיב, דקדוק, वर्तनी*, व्याकरण*, правописни*, yazım hata*""",
    "convert": """
        dönüştür*, çevir ~ json, convertește*, transformă*, alakít*, konvertál*, ubah ~ menjadi, konversi*,
        jadikan, chuyển ~ sang, chuyển ~ thành, chuyển đổi, μετέτρεψε*, μετατροπή, حول*, تحويل, המר*, बदलो,
        परिवर्तित*, pretvori*, превърни*, json'a çevir, yaml'a çevir, tabloya çevir""",
    "extract": """
        ayıkla*, alıntıla*, listele, extrage*, citează*, gyűjtsd*, idézd*, ekstrak*, kutip*, trích xuất, trích dẫn,
        εξάγαγε, απόσπασε, استخرج*, اقتبس*, חלץ*, צטט*, निकालो, निकालें, извлечи*, çıkar""",
    "arrange": """
        sırala*, filtrele*, anonimleştir*, maskele*, tekrarlanan*, numaralandır*, biçimlendir*, doldur*, sorteaz*,
        filtreaz*, rendezd*, szűrd*, számozd*, urutkan*, saring*, duplikat*, sắp xếp, lọc, ταξινόμησε*,
        φιλτράρισε*, رتب*, فرز, מיין*, סנן*, क्रमबद्ध*, сортирай*, sortiraj*, yinelenen*""",
    "edit": """
        yeniden adlandır*, ekle*, sil, kaldır*, değiştir*, düzelt*, güncelle*, onar*, yorum ekle, redenume*,
        înlocui*, adaug*, șterge*, elimină, corecteaz*, repar*, modific*, actualizeaz*, nevezd át, cseréld*,
        add hozzá, adj hozzá, töröld*, javítsd*, javíts*, módosíts*, frissítsd*, ganti*, tambahkan*, hapus*,
        perbaiki*, perbarui*, đổi tên, thay thế, thay, thêm chú thích, thêm bình luận, hãy thêm, thêm kiểu,
        thêm xử lý, xóa, xoá, sửa*, cập nhật, μετονόμασε*, αντικατάστησε*, πρόσθεσε*, διόρθωσε*, αφαίρεσε*,
        άλλαξε*, أضف*, استبدل*, احذف*, صحح*, أصلح*, عدل*, غير*, הוסף*, החלף*, מחק*, תקן*, שנה*, जोड़*, हटा*, बदल*,
        सुधार*, ठीक कर*, преименувай*, добави*, премахни*, поправи*, замени*, preimenuj*, dodaj*, zamijeni*,
        ispravi*""",
    "rework": """
        yeniden yaz*, sadeleştir*, basitleştir*, iyileştir*, rescrie*, reformulează*, simplific*, îmbunătăț*,
        írd át, fogalmazd*, egyszerűsíts*, tulis ulang, parafrase*, sederhanakan*, viết lại, diễn đạt lại,
        đơn giản hóa, ξαναγράψε*, απλοποίησε*, أعد كتابة, أعد صياغة, בשט*, נסח מחדש, שכתב*, पुनः लिख*""",
    "translate": """
        çevir*, tercüme*, tradu*, traducere*, fordíts*, fordítsd*, terjemah*, dịch*, μετάφρασ*, μετάφρασε*, ترجم*,
        ترجمة, תרגם*, अनुवाद*, преведи*, prevedi*""",
    "answer": """
        açıkla*, anlat*, analiz*, karşılaştır*, kaç, explică*, descrie*, analizează*, compară*, numără*, câte,
        magyarázd*, írd le mit, elemezd*, számold*, hány, jelaskan*, bandingkan*, berapa, hitung*, giải thích,
        mô tả, phân tích, so sánh, bao nhiêu, đếm, εξήγησε*, περίγραψε*, ανάλυσε*, πόσα, πόσες, اشرح*, شرح, صف,
        قارن*, كم, הסבר*, תאר*, השווה*, כמה, समझा*, बताओ, बताइए, कितने, कितनी, обясни*, objasni*, колко""",
    "check": """
        kontrol et*, incele*, gözden geçir*, verifică*, ellenőrizd*, periksa*, kiểm tra, έλεγξε*, راجع*, تحقق*,
        בדוק*, जाँच*, जांच*, провери*""",
    "ask": """
        ^ne kadar, ^ne yap*, ^ne işe, ^neden, ^niye, ^nasıl, ^kimin, ^kim bu, ^nerede, ^hangi, ^ne zaman, ^ce face,
        ^ce este, ^ce fac, ^cine, ^cum, ^de ce, ^când, ^unde, ^care, ^cât, ^câte, ^câți, ^mit csinál, ^mi a, ^ki a,
        ^hogyan, ^miért, ^mikor, ^melyik, ^mennyi*, ^apa, ^siapa, ^bagaimana, ^mengapa, ^kenapa, ^kapan, ^di mana,
        ^tại sao, ^cái gì, ^khi nào, ^như thế nào, ^τι, ^ποιος, ^ποια, ^ποιο, ^πώς, ^γιατί, ^πότε, ^πού, ^πόσο,
        ^ما, ^ماذا, ^من, ^كيف, ^لماذا, ^متى, ^أين, ^هل, ^מה, ^מי, ^איך, ^למה, ^מתי, ^איפה, ^האם, ^क्या, ^कौन,
        ^कैसे, ^क्यों, ^कब, ^कहाँ, bu kod ne, ne yapıyor, ne işe yarar""",
    "new": """
        başlık*, commit mesajı*, birim test*, test yaz*, şiir*, hikaye*, hikâye*, cevap*, yanıtla*, devam et*,
        öner*, fikir*, düzenli ifade, titlu*, mesaj de commit, teste, poezie*, răspunde*, continuă*, sugerea*,
        propune*, címet, cím, teszt*, verset, válaszolj*, folytasd*, javasolj*, judul*, pesan commit, puisi*,
        cerita*, balas*, jawab*, lanjutkan*, sarankan*, ide cerita, tiêu đề, bài thơ, câu chuyện, trả lời,
        tiếp tục, gợi ý, đề xuất, τίτλο*, ποίημα, απάντησε*, συνέχισε*, πρότεινε*, عنوان*, قصيدة, قصة, أجب*,
        رد على, أكمل*, اقترح*, כותרת*, שיר, סיפור, ענה*, המשך*, הצע*, शीर्षक*, कविता*, कहानी*, उत्तर*, जवाब*""",
    "create": """
        ^yaz, ^yazar*, ^oluştur*, ^üret*, ^scrie*, ^creează*, ^generează*, ^írj*, ^készíts*, ^tulis*, ^buatkan,
        ^buatlah, ^buat, ^viết, ^tạo, ^γράψε*, ^δημιούργησε*, ^اكتب*, ^أنشئ*, ^כתוב*, ^צור*, ^लिख*, ^напиши*""",
    "get": """
        tüm, bütün, sadece, yalnızca, göster*, toate, doar, numai, arată, összes, csak, mutasd, semua, hanya,
        tampilkan, tất cả, chỉ, όλα, όλες, μόνο, جميع, كل, فقط, כל, רק, सभी, केवल""",
    "item": """
        tarihleri, e-postaları, adresleri, satırları, isimleri, datele, adresele, liniile, numele, dátumokat,
        sorokat, tanggal, alamat, baris, ngày, dòng, địa chỉ, ημερομηνίες, διευθύνσεις, γραμμές, التواريخ,
        العناوين, الأسطر, התאריכים, השורות, הכתובות, तारीखें""",
    "format": """
        tablo, tabloya, tabelul, tabel, táblázat*, tabel markdown, bảng, πίνακα, πίνακας, جدول, טבלה, तालिका*""",
    "into": "olarak, ca, în, la, menjadi, ke, dalam, sang, thành, σε, إلى, كـ, ל, ב",
    "preserve": """
        başka bir şey, gerisini, kelimesi kelimesine, aynen, nimic altceva, restul, cuvânt cu cuvânt, semmi mást,
        szó szerint, jangan ubah, apa adanya, kata per kata, giữ nguyên, nguyên văn, τίποτα άλλο, αυτολεξεί,
        كما هو, حرفيا, מילה במילה""",
    "negate": "etme, olmadan, fără, nélkül, jangan, tanpa, đừng, không, μην, χωρίς, بدون, לא, בלי, मत",
    "polite": """
        lütfen, te rog, kérlek, tolong, mohon, hãy, vui lòng, làm ơn, παρακαλώ, من فضلك, بבקשה, बचाएं, कृपया, bu,
        acest, ezt, ini, şu, أنا, في, molim""",
    "refer": """
        yukarıdaki*, aşağıdaki*, bu metni, bu metnin, bu kodu, metni, acest text, textul de mai, următor*, alábbi*,
        fenti*, teks ini, teks berikut, kode ini, berikut, di atas, văn bản sau, đoạn văn, παρακάτω, παραπάνω,
        النص, الكود, הטקסט, הקוד""",
    "codeword": """
        yorumları, yorum satırları, comentarii, comentariile, megjegyzéseket, komentar, chú thích, bình luận,
        σχόλια, التعليقات, تعليقات, הערות""",
}
