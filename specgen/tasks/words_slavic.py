"""Polish, Russian, Ukrainian and Czech (with Slovak) request words, by class (see `lexicon.Ask`). Data only: `lexicon` describes the pattern syntax."""
# ruff: noqa: RUF001  (letters of other scripts are meant)

from __future__ import annotations

POLISH = {
    "summary": """
        streszcz*, streść, streścić, podsumow*, podsumuj*, najważniejsz*, główne punkty, kluczowe punkty,
        główne myśli, główne tezy, główna myśl, w skrócie, skrót, krótko o czym, istot*, protokół, wnioski,
        esencj*, sedno""",
    "shorten": "skróć*, skrócić, skracaj*, krótsz*, do ~ słów, w ~ słowach, w ~ zdaniach, do ~ zdań",
    "proofread": """
        ortogra*, gramaty*, interpunk*, literów*, błędy językowe, pisowni*, korekt*, popraw ~ tekst,
        popraw ~ zdanie, przecinki""",
    "convert": """
        konwert*, przekonwert*, przekształć*, przekształc*, zamień ~ na json, zamień ~ na tabelę, zamień ~ w,
        przerób*, wyeksport*, zamień to na""",
    "extract": """
        wypisz wszystkie, podaj wszystkie, znajdź wszystkie, pokaż wszystkie, wyodrębni*, wyciągn*, wypisz*,
        wyekstrah*, zacytuj*, cytuj*, skopiuj*, wybierz ~ wiersze, linie z, wiersze z, zdania które,
        linie zawierające, wiersze zawierające""",
    "arrange": """
        posortuj*, sortuj*, sortow*, uporządkuj*, filtruj*, przefiltruj*, odfiltruj*, zanonimizuj*, anonimizuj*,
        zamaskuj*, ukryj*, duplikat*, powtórzeni*, ponumeruj*, sformatuj*, formatuj*, wyczyść*,
        uzupełnij ~ szablon, wypełnij*, pogrupuj*, wielkimi literami, małymi literami, zaczerni*""",
    "edit": """
        zmień*, zmian*, zamień*, zastąp*, dodaj*, dodać, usuń*, usun*, popraw*, napraw*, zaktualizuj*, aktualizuj*,
        zrefaktor*, refaktor*, wstaw*, przenieś*, skomentuj*, zakomentuj*, udokumentuj*, dostosuj*, rozwiąż*,
        zaimplementuj*, włącz*, wyłącz*, zamiast, obsługę błędów, obsłuż*, unowocześni*, zwiększ*, cofnij*, ustaw*""",
    "rework": """
        zrób to bardziej, brzmi*, przepisz*, przeredaguj*, przeformułuj*, sparafraz*, uprość*, ulepsz*,
        zoptymalizuj*, bardziej formaln*, prostszym językiem, grzeczniej*, własnymi słowami, rozwiń*""",
    "translate": "przetłumacz*, tłumacz*, tłumaczenie",
    "answer": """
        wyjaśni*, objaśni*, wytłumacz*, opisz*, przeanalizuj*, analiz*, porównaj*, oceń*, policz*, ile,
        znajdź ~ błąd, znajdź ~ błędy, różnic*, średni*, oblicz*, powiedz*, zalety i wady, skrytykuj*""",
    "check": "sprawdź*, sprawdz*, zweryfik*, przejrzyj*",
    "ask": """
        ^co, ^kto, ^jak, ^jaki*, ^jaka, ^jakie, ^dlaczego, ^czemu, ^ile, ^gdzie, ^kiedy, ^czy, ^który*, ^która,
        ^które, ^kogo, ^komu, ^po co, ^do czego, ^od kiedy, ^o czym, ^skąd, ^w którym""",
    "new": """
        tytuł*, nagłówek, opis commita, komunikat commita, commit message, wiadomość commita, testy, test dla,
        testy jednostkowe, wiersz o, wierszyk, wiersz na, haiku, historię, historyjk*, historii, opowiad*,
        odpowiedz*, odpisz*, odpowiedź, temat maila, slogan, wyrażenie regularne, kontynuuj*, dokończ*,
        sklasyfikuj*, kategor*, quiz, pytania do, słowa kluczowe, pomysł*, zaproponuj*, zasugeruj*, doradź*,
        jednym słowem, jedno słowo, tak czy nie, dokumentacj*, lepszą nazwę, plan działania""",
    "artefact": "funkcj*, skrypt*, program*, zapytanie, klas*",
    "create": "^napisz*, ^stwórz*, ^utwórz*, ^wygeneruj*, ^wymyśl*, ^ułóż*, ^zaprojektuj*, ^przygotuj*, ^opracuj*",
    "get": "lista, wymień, pokaż, podaj, daj, znajdź, wyświetl, zostaw, tylko, wszystkie, każd*, wypisz",
    "item": """
        daty, kwoty, nazwiska, imiona, nazwy, adresy, linki, telefony, numery, ceny, linie, wiersze, zdania, błędy,
        miejsca, godziny, e-maile, maile, kolumny""",
    "format": "tabela, tabelę, tabeli, tabelki, tabelkę, listę punktowaną, zwykły tekst",
    "codeword": "komentarze, komentarz, docstring*, komunikaty, adnotacje, typy, nazwy zmiennych, obsługę błędów",
    "into": "na, do, w, jako",
    "preserve": """
        nic więcej, nic innego, reszt*, słowo w słowo, dosłown*, bez zmian, nie zmieniaj*, nie ruszaj*, cały plik""",
    "negate": "nie, bez, nigdy",
    "polite": """
        proszę, czy możesz, możesz, czy mógłbyś, mógłbyś, mi, cześć, i, potem, chcę, potrzebuję, zrób, ten, to, tę""",
    "refer": """
        powyższ*, poniższ*, następując*, ten tekst, tego tekstu, tym tekście, ten kod, tego kodu, tym kodzie,
        ten plik, ten artykuł, ten mail""",
}

RUSSIAN = {
    "summary": """
        кратк*, вкратце, резюм*, резюмир*, суммир*, суммаризир*, обобщи*, подытож*, главн* мысл*, главное,
        основн* мысл*, основн* тезис*, ключев* момент*, ключев* мысл*, ключев* пункт*, ключев* тезис*,
        основн* пункт*, основн* моменты, тезисы, тезисно, суть, конспект*, законспектир*, выжимк*, аннотаци* к,
        итоги, протокол*, саммари, самое важное, важн* момент*, пересказ*, перескажи*, выводы""",
    "shorten": """
        сократи*, укороти*, сжать, сожми, короче, до ~ слов, в ~ словах, в ~ предложениях, сокращ*,
        до ~ предложений""",
    "proofread": """
        орфограф*, граммат*, пунктуац*, опечат*, вычита*, запятые, правописани*, исправь текст,
        исправь ошибки в тексте, исправь предложение, корректур*""",
    "convert": """
        конверт*, сконверт*, преобраз*, переведи ~ в json, переведи ~ в yaml, переведи ~ в csv,
        переведи ~ в таблиц*, преврати*, экспорт*, переделай в, переделай ~ в таблиц*, переформатир*""",
    "extract": """
        выведи все, покажи все, найди все, перечисли все, извлек*, вытащи*, выпиши*, процитир*, скопир*,
        выдели ~ дат*, строки с, строки где, строки которые, строки содержащие, предложения где,
        предложения которые, цитат*""",
    "arrange": """
        отсортир*, сортир*, упоряд*, отфильтр*, фильтр*, анонимизир*, обезлич*, замаскир*, скрой*, дубликат*,
        повтор*, пронумер*, отформатир*, форматир*, очист*, почист*, заполни*, сгруппир*, заглавн*, строчн*,
        нормализ*, причеш*""",
    "edit": """
        переимен*, замени*, заменить, измени*, поменя*, добав*, удал*, убери*, убрать, исправ*, почини*, обнов*,
        рефактор*, отрефактор*, встав*, перенес*, прокомментируй*, закомментир*, задокументир*, документир*,
        адаптир*, реши* конфликт*, разреши* конфликт*, реализуй*, включи, выключи, отключи, вместо,
        обработк* ошиб*, сделай ~ асинхронн*, модерниз*, увелич*, уменьш*, поправь*, откати*, примени*,
        напиши комментари*, перепиши ~ комментари*""",
    "rework": """
        сделай текст, сделай его, сделай более, звуч*, перепиши*, переписать, перефраз*, переформулир*, упрост*,
        улучш*, оптимизир*, вежлив*, более формальн*, простыми словами, своими словами, проще, дополни*, расшир*""",
    "translate": "переведи*, перевести, перевод*",
    "answer": """
        объясн*, поясн*, опиш*, проанализ*, анализ*, сравни*, оцени*, посчита*, подсчита*, сколько, найди ~ баг*,
        найди ~ ошибк*, найди ~ проблем*, средн*, разниц*, расскаж*, вычисли*, плюсы и минусы, что означ*,
        что значит, раскритик*""",
    "check": "проверь*, провер*, посмотри*, просмотри*, ревью",
    "ask": """
        ^что, ^кто, ^как, ^какой, ^какая, ^какое, ^какие, ^каков*, ^почему, ^зачем, ^сколько, ^где, ^когда, ^куда,
        ^откуда, ^чей, ^есть ли, ^можно ли, ^правда ли, ^о чем, ^кому, ^кого, ^в чем, ^в каком, ^для чего,
        ^с какого, ^на сколько, ^чем, ^верно ли""",
    "new": """
        заголов*, назван* для, сообщени* коммита, сообщени* для коммита, коммит-*, коммит, тесты, тест для,
        юнит-тест*, стих*, хайку, рассказ*, истори*, ответь*, ответ на, ответ*, тему письма, слоган*,
        регулярн* выражен*, регулярк*, продолж*, классифиц*, категор*, тональн*, вопросы по, вопросы к, викторин*,
        ключевые слова, идеи, иде*, предлож* вариант*, предложи*, посовет*, рекоменд*, одним словом, одно слово,
        да или нет, документаци*, план, инструкц*, придумай*""",
    "artefact": "функци*, скрипт*, программ*, запрос*, класс*",
    "create": """
        ^напиши*, ^написать, ^создай*, ^создать, ^сгенерир*, ^придума*, ^составь*, ^сочини*, ^разработ*,
        ^подготов*, ^спроектир*""",
    "get": """
        список, перечисли, покажи, выведи, дай, найди, оставь, только, лишь, все, каждый, кажд*, выбери, собери""",
    "item": """
        даты, дат, суммы, имена, адреса, почты, ссылки, телефоны, номера, цены, строки, предложения, числа, ошибки,
        места, время, письма, столбцы, email, email-адреса, e-mail, цитаты""",
    "format": "таблица, таблицу, таблицы, таблице, таблицей, маркированный список, список markdown",
    "codeword": """
        комментарии, комментариев, комментарий, докстринги, докстринг*, аннотации, аннотации типов, сообщения,
        типы, имена переменных, обработку ошибок, тайпхинты""",
    "into": "в, на, как, виде, формате",
    "preserve": """
        больше ничего, ничего больше, остальн*, дословн*, слово в слово, без изменений, не меняй*, не трогай*,
        не изменяй*, весь файл, как есть, целиком""",
    "negate": "не, без, никогда, ни",
    "polite": """
        пожалуйста, можешь, можешь ли, не мог бы ты, могли бы, мне, привет, и, затем, потом, нужно, надо, хочу,
        сделай, сделать, дай, этот, это, эту, давай""",
    "refer": "выше, ниже, следующ*, этот, эту, этом, этого, эти, вышеприведен*, данный текст, приведенн*",
}

UKRAINIAN = {
    "summary": """
        стислий виклад, стисло, коротко, підсумуй*, підсумк*, узагальн*, основні думки, головне, головні думки,
        ключові моменти, суть, резюме, тези, переказ*, основні тези""",
    "shorten": "скороти*, коротше, до ~ слів, у ~ реченнях",
    "proofread": "орфограф*, граматич*, граматик*, пунктуац*, помилки в тексті, правопис*, вичитай*",
    "convert": "конверт*, перетвори*",
    "extract": "витягни*, випиши*, процитуй*, вилучи*, рядки з",
    "arrange": "відсортуй*, сортуй*, відфільтр*, анонімізуй*, дублікат*, пронумеруй*, відформат*, заповни*",
    "edit": """
        перейменуй*, заміни*, зміни*, додай*, видали*, прибери*, виправ*, онови*, відрефактор*, встав*, замість,
        прокоментуй*""",
    "rework": "перепиши*, перефраз*, спрост*, покращ*, оптиміз*",
    "translate": "переклади*, переклад",
    "answer": "поясни*, опиши*, проаналізуй*, порівняй*, порахуй*, скільки, знайди ~ помилк*",
    "check": "перевір*, переглянь*",
    "ask": "^що, ^хто, ^як, ^який, ^яка, ^які, ^чому, ^скільки, ^де, ^коли, ^навіщо, ^чи",
    "new": """
        заголовок, назву, повідомлення коміту, тести, вірш, оповідання, відповідь, відповідай*, продовж*,
        запропонуй*, ідеї""",
    "create": "^напиши*, ^створи*, ^згенеруй*, ^придумай*, ^склади*",
    "format": "таблицю, таблиця",
    "into": "у, в, на, як",
    "preserve": "решту не, більше нічого, дослівно, без змін, не змінюй*",
    "negate": "не, без",
    "polite": "будь ласка, можеш, мені, зроби, і",
    "refer": "вище, нижче, цей, цю, цього, цьому, наступн*",
    "codeword": "коментарі, докстринги",
}

CZECH = {
    "summary": """
        shrň*, shrn*, souhrn*, hlavní body, klíčové body, hlavní myšlenk*, nejdůležitější, stručně, ve zkratce,
        zápis z, zhrň*, zhrn*""",
    "shorten": "zkrať*, zkrác*, kratší, do ~ slov, skráť*",
    "proofread": "pravopis*, gramati*, překlep*, interpunk*, oprav text, oprav chyby v textu, čárky",
    "convert": "převeď*, převed*, převést, konvertuj*, preveď*",
    "extract": "vytáhni*, vypiš*, extrahuj*, cituj*, zkopíruj*, řádky s",
    "arrange": """
        seřaď*, setřiď*, filtruj*, vyfiltruj*, anonymizuj*, duplicit*, očísluj*, zformátuj*, vyplň*, zoraď*""",
    "edit": """
        přejmenuj*, nahraď*, změň*, změn*, přidej*, odstraň*, smaž*, oprav*, uprav*, refaktor*, vlož*, místo,
        okomentuj*, doplň*, aktualizuj*, pridaj*, premenuj*""",
    "rework": "přepiš*, přeformuluj*, zjednoduš*, vylepši*, optimalizuj*, zdvořilej*",
    "translate": "přelož*, překlad*, prelož*",
    "answer": "vysvětli*, popiš*, analyzuj*, porovnej*, spočítej*, kolik, najdi ~ chyb*, vysvetli*",
    "check": "zkontroluj*, ověřit, skontroluj*",
    "ask": "^co, ^kdo, ^jak, ^proč, ^kolik, ^kde, ^kdy, ^který*, ^která, ^jaký*, ^jaká, ^jaké, ^čo, ^ako, ^prečo",
    "new": """
        titulek, nadpis, název pro, zpráv* commit*, testy, báseň, příběh, odpověz*, odpověď, pokračuj*, navrhni*,
        nápady, regulární výraz""",
    "create": "^napiš*, ^vytvoř*, ^vygeneruj*, ^vymysli*, ^navrhni*",
    "format": "tabulk*, tabuľk*",
    "into": "do, na, jako",
    "preserve": "nic jiného, zbytek, doslov*, beze změny, neměň*",
    "negate": "ne, bez, nikdy",
    "polite": "prosím, můžeš, mi, a, tento",
    "refer": "výše, níže, následující, tento, tuto, tohoto, této",
    "codeword": "komentáře, docstringy",
}
