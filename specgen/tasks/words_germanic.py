"""German, Dutch and Nordic (with Finnish) request words, by class (see `lexicon.Ask`). Data only: `lexicon` describes the pattern syntax."""

from __future__ import annotations

GERMAN = {
    "summary": """
        zusammenfass*, zusammenzufassen, fass* ~ zusammen, zusammengefasst, kurzfassung*, kernaussage*, kernpunkt*,
        hauptpunkt*, hauptaussage*, wichtigste*, das wesentliche, quintessenz, kernbotschaft*, überblick,
        protokoll, das protokoll, ergebnisprotokoll, kurzprotokoll*, gesprächsprotokoll*, sitzungsprotokoll*,
        eckpunkte, stichpunkte, in stichpunkten, in stichworten, auf den punkt, kurz und knapp, kurzversion,
        inhaltsangabe, abriss, fazit, versionshinweise, in kürze, worum geht""",
    "shorten": """
        kürze, kürzen, kürzer, gekürzt*, verkürz*, eindampf*, dampf* ~ ein, einkürz*, auf ~ wörter, in ~ wörtern,
        in ~ sätzen, straff*, auf ~ sätze""",
    "proofread": """
        rechtschreib*, grammatik*, tippfehler*, zeichensetzung, kommasetzung, kommafehler*, orthograf*,
        korrekturles*, schreibfehler*, sprachliche fehler, lektorier*, flüchtigkeitsfehler*, korrektur lesen,
        lies ~ korrektur, groß- und kleinschreibung, korrigier* ~ text, korrigier* ~ satz""",
    "convert": """
        wandle*, umwandel*, umzuwandeln, konvertier*, wandel* ~ um, exportier*, überführ*, umformatier*,
        transformier*, portier*, migrier*""",
    "extract": """
        extrahier*, zitier*, herauskopier*, kopier* ~ heraus, wörtlich ~ heraus, herauszieh*, zieh* ~ heraus,
        hol* ~ heraus, such* ~ heraus, schreib* ~ heraus, liste alle, liste ~ alle, zeige alle, zeig ~ alle,
        gib ~ alle, nenne alle, finde alle, zeilen mit, zeilen die, sätze die, einträge mit, einträge die,
        stellen die, absätze die, nur ~ zeilen, auszug, exzerpt, herausschreib*, gib ~ wörtlich""",
    "arrange": """
        sortier*, schwärz*, anonymisier*, pseudonymisier*, filter*, filtern, ordne*, dubletten, duplikat*,
        doppelte*, nummerier*, umbrech*, brich ~ um, einrück*, rück* ~ ein, formatier*, aufräum*, räum* ~ auf,
        bereinig*, fülle*, ausfüll*, befüll*, maskier*, zensier*, großbuchstaben, kleinbuchstaben, normalisier*,
        vereinheitlich*, gruppier*, zusammenführ*, glätte*, unkenntlich, entferne ~ doppelte*""",
    "edit": """
        benenn*, umbenenn*, umbenannt*, umzubenennen, ersetz*, änder*, abänder*, ergänz*, füg*, hinzufüg*,
        hinzuzufügen, einfüg*, entfern*, lösch*, beheb*, behob*, reparier*, korrigier*, verbessere den fehler,
        pass* ~ an, anpass*, anzupassen, aktualisier*, refaktor*, refactor*, kommentier*, dokumentier*,
        implementier*, verschieb*, tausch*, streich*, stell* ~ um, umstell*, setz*, bau* ~ ein, bau* ~ um, umbau*,
        einbau*, lös* ~ konflikt, lös* ~ merge, modernisier*, schalte*, aktivier*, deaktivier*, erweiter*,
        nutz* ~ statt, verwend* ~ statt, anstatt, statt, nimm ~ raus, typannotation*, typhinweis*, erhöh*,
        fang* ~ ab, behandel*, mach* ~ rückgängig, korrektur, fix*, wende ~ patch""",
    "rework": """
        verwandle*, mach* ~ daraus, mach ~ ein, mach ~ eine, mach ~ einen, mach es, mach das, mach den text,
        klingen, klingt, schreib* ~ um, umschreib*, umformulier*, formulier*, vereinfach*, verbesser*, optimier*,
        höflicher, freundlicher, förmlicher, einfacher sprache, leichter sprache, sachlicher, umzuschreiben,
        neu formulier*, lockerer, verständlicher, eigenen worten, beschleunig*""",
    "translate": "übersetz*, übertrag* ~ ins",
    "answer": """
        erklär*, erläuter*, beschreib*, analysier*, vergleich*, bewert*, beurteil*, diskutier*, kritisier*,
        interpretier*, zähle, zähl, gezählt, nenn* ~ grund, find* ~ fehler, such* ~ fehler, finde ~ bugs,
        durchschnitt, bedeutung, vor- und nachteile, wie viele, wieviele, unterschied, sag mir, berechne*, schätz*,
        ursache, meinung""",
    "check": "prüf*, überprüf*, kontrollier*, begutacht*, schau* ~ an, schau* ~ durch, review*",
    "ask": """
        ^was, ^wer, ^wie, ^warum, ^wieso, ^weshalb, ^wann, ^wo, ^woher, ^wohin, ^wem, ^wen, ^welche*, ^wozu,
        ^wofür, ^wovon, ^worum, ^wodurch, ^womit, ^worauf, ^wieviel*, ^ist, ^sind, ^gibt es, ^hat, ^haben,
        ^kann ich, ^kann man, ^soll*, ^darf*, ^muss, ^stimmt, ^ab wann, ^bis wann, ^seit wann, ^in welche*,
        ^an welche*, ^um wie, ^wessen, ^würde, ^funktioniert""",
    "new": """
        titel, überschrift*, commit-nachricht*, commit nachricht*, commit-message*, unit-test*, unittests,
        tests für, tests, test für, gedicht*, haiku, geschichte*, antworte*, antwort, beantwort*, betreff*,
        slogan*, regulären ausdruck, regulärer ausdruck, klassifizier*, kategorisier*, stimmung, setz* ~ fort,
        fortsetz*, schreib* ~ weiter, weiterschreib*, quiz*, fragen zu, verständnisfragen, dokumentation,
        anleitung, ideen, vorschl*, schlag* ~ vor, schlagwort*, schlagwörter, stichwörter, pull-request*, ein wort,
        einem wort, ja oder nein, positiv oder negativ, empfehl*, plan für, lernkarten, besserer name""",
    "artefact": "funktion*, skript*, programm*, abfrage*, klasse*",
    "create": """
        ^schreib*, ^verfass*, ^erstell*, ^erzeug*, ^entwirf, ^generier*, ^formulier*, ^überleg*, ^entwickel*,
        ^entwerf*, ^dicht*, ^erfind*, ^denk*""",
    "get": """
        liste, nenne, zeig*, gib, gebe, finde, suche, nur, alle, jede*, ausgeb*, drucke, auflist*, sammle, sammel*,
        lediglich""",
    "item": """
        adressen, e-mail-adressen, mailadressen, telefonnummer*, datum*, daten, datumsangaben, beträge, zahlen,
        preise, zeile*, sätze, stellen, absätze, einträge, zeitangaben, uhrzeiten, orte, fehlermeldung*, warnungen,
        spalte*, überschriften, rufnummern""",
    "format": """
        tabelle, tabellen, markdown-tabelle, html-tabelle, liste, json-format, csv-datei, json-datei, klartext""",
    "codeword": """
        kommentare, kommentar, docstring*, fehlerbehandlung, fehlermeldungen, meldungen, variablennamen,
        bezeichner, typen, kommentaren""",
    "into": "in, nach, als, zu, zur, ins, im",
    "preserve": """
        sonst nichts, nichts anderes, ansonsten, unverändert, wörtlich, wortgetreu, wortwörtlich, lass* ~ so,
        rest bleibt, im original, ganze datei, originalwortlaut, wie es ist, wie sie sind""",
    "negate": "nicht, kein, keine, keinen, ohne, niemals, nie",
    "polite": """
        bitte, kannst du, könntest du, können sie, könnten sie, mal, mir, uns, den, die, das, dann, danach, und,
        ich brauche, ich möchte, ich hätte gern, hallo, jetzt, würdest du, kurz, eine, einen, ein, noch, nun,
        einmal""",
    "refer": """
        obige*, oben, folgende*, unten, diese*, den text, des textes, der obige, die obige, oberen, unteren,
        vorstehend*, nachstehend*, den code, den artikel""",
}

DUTCH = {
    "summary": """
        samenvat*, vat* ~ samen, samengevat*, samen te vatten, hoofdpunten, kernpunten, belangrijkste*,
        kernboodschap, hoofdzaken, in het kort, korte versie, kort overzicht, overzicht, notulen, de essentie,
        essentie, in grote lijnen, hoofdlijnen, kern van""",
    "shorten": "verkort*, inkort*, kort ~ in, korter, in ~ woorden, in ~ zinnen, tot ~ woorden, naar ~ woorden",
    "proofread": """
        spelling*, spelfout*, grammatica*, taalfout*, typefout*, tikfout*, interpunctie, leestekens,
        nakijken op fouten, proeflez*, corrigeer ~ tekst, verbeter ~ zin, verbeter ~ fouten, dt-fouten""",
    "convert": """
        converteer*, omzet*, om te zetten, zet ~ om, maak ~ van, transformeer*, exporteer*, verander ~ in een""",
    "extract": """
        geef alle, toon alle, noem alle, lijst alle, zoek alle, vind alle, haal ~ uit, haal ~ eruit, extraheer*,
        citeer*, kopieer, regels met, regels die, zinnen die, rijen met, rijen die, passages die, haal alle""",
    "arrange": """
        sorteer*, filter*, anonimiseer*, maskeer*, dubbele*, duplicaten, ontdubbel*, nummer de, nummer,
        formatteer*, opmaken, inspring*, opschon*, schoon ~ op, ruim ~ op, vul ~ in, invullen, hoofdletters,
        kleine letters, groepeer*, normaliseer*, lak ~ weg, orden, rangschik""",
    "edit": """
        hernoem*, vervang*, voeg*, toevoeg*, verwijder*, wijzig*, verander*, pas ~ aan, aanpass*, aan te passen,
        corrigeer*, verbeter ~ fout, verbeter ~ bug, repareer*, herstel*, los ~ op, oplos*, fix*, werk ~ bij,
        bijwerk*, refactor*, herstructur*, documenteer*, implementeer*, verplaats*, schrap*, haal ~ weg,
        gebruik ~ in plaats, in plaats van, zet ~ aan, zet ~ uit, schakel*, becommentarieer*, moderniseer*,
        zorg dat, zorg ervoor, foutafhandeling, verhoog*, maak ~ async, maak ~ generiek""",
    "rework": """
        maak ~ een, verander ~ in een, maak het, maak deze tekst, maak de tekst, klinken, herschrijf*,
        herformuleer*, vereenvoudig*, verbeter*, optimaliseer*, formeler, vriendelijker, eenvoudiger,
        eigen woorden, simpele taal, eenvoudige taal, parafraseer*""",
    "translate": "vertaal*, vertal*",
    "answer": """
        leg ~ uit, uitleg*, verklaar*, beschrijf*, analyseer*, vergelijk*, beoordeel*, tel de, tel het,
        tel hoeveel, tel alle, tellen, hoeveel, vind ~ fout*, zoek ~ fout*, vind ~ bug*, zoek ~ bug*, betekent,
        gemiddelde, mening, verschil, bereken*, voor- en nadelen, vertel""",
    "check": "controleer*, check, bekijk*, kijk ~ na, nakijken",
    "ask": """
        ^wat, ^wie, ^hoe, ^waarom, ^wanneer, ^waar, ^waarvoor, ^waarover, ^welke*, ^hoeveel, ^is, ^zijn, ^kan ik,
        ^klopt, ^heeft, ^moet, ^vanaf wanneer, ^op welke, ^in welke, ^door wie, ^van wie, ^werkt""",
    "new": """
        titel*, kop, commitbericht, commit-bericht, commit bericht*, unittest*, unit-tests, tests voor, tests,
        testen voor, gedicht*, haiku, verhaal, antwoord*, beantwoord*, onderwerpregel, slogan*,
        reguliere expressie, ga ~ verder, vervolg, classificeer*, categoriseer*, sentiment, vragen over, quiz*,
        trefwoorden, steekwoorden, ideeen, bedenk*, suggest*, voorstel*, stel ~ voor, aanbevel*, advies, een woord,
        ja of nee, positief of negatief, documentatie, plan voor, betere naam, handleiding""",
    "artefact": "functie*, script*, programma*, query, klasse",
    "create": """
        ^schrijf*, ^maak een plan, ^creeer*, ^genereer*, ^bedenk*, ^verzin*, ^ontwerp*, ^stel ~ op, ^opstel*""",
    "get": """
        lijst, geef, toon, laat ~ zien, vind, zoek, print, alleen, enkel, slechts, alle, elke, noem, verzamel,
        behoud, houd""",
    "item": """
        datums, data, bedragen, namen, adressen, e-mailadressen, mailadressen, links, telefoonnummers, prijzen,
        regels, zinnen, nummers, getallen, fouten, plaatsen, tijden, rijen, kolommen, citaten""",
    "format": "tabel, tabellen, opsomming, platte tekst, markdown-tabel, html-tabel",
    "codeword": """
        commentaar, commentaren, opmerkingen, docstring*, meldingen, foutmeldingen, variabelenamen, types, typen,
        foutafhandeling""",
    "into": "naar, in, als, tot, een",
    "preserve": """
        niets anders, verder niets, de rest, woord voor woord, letterlijk, ongewijzigd, onveranderd, laat ~ staan,
        laat ~ zoals, hele bestand, volledige bestand""",
    "negate": "niet, geen, zonder, nooit",
    "polite": """
        alsjeblieft, alstublieft, aub, graag, kun je, kan je, kunt u, zou je, wil je, mij, me, hallo, en, dan,
        daarna, ik wil, ik heb, de, het, een, eens, even, mijn""",
    "refer": "bovenstaande*, onderstaande*, volgende*, deze, dit, de tekst, hierboven, hieronder",
}

NORDIC = {
    "summary": """
        sammanfatt*, sammenfatt*, oppsummer*, opsummer*, resume af, et resume, sammendrag*, sammandrag*,
        huvudpunkter*, hovedpunkt*, hovedbudskab*, viktigaste*, viktigste*, vigtigste*, kort version, kärnan,
        kortfattat, i korthet, kort sagt, referat, mötesprotokoll, tiivist*, yhteenve*, pääkohdat,
        keskeiset kohdat, pääpointit""",
    "shorten": """
        förkort*, forkort*, korta ~ ner, kortare, kortere, til ~ ord, till ~ ord, på ~ ord, lyhenn*, lyhyem*""",
    "proofread": """
        stavfel*, stavefejl*, skrivefeil*, stavning, stavefeil*, grammatik*, grammatikk*, rättskriv*, retskriv*,
        rettskriv*, korrekturläs*, korrekturlæs*, korrekturles*, tegnsætning, tegnsetting, skiljetecken,
        kirjoitusvirhe*, kielioppi*, oikolue*, oikeinkirjoitus*, slagfejl""",
    "convert": """
        konverter*, omvandla*, gör om ~ till, gør ~ om til, gjør ~ om til, omdan*, muunna*, muuta ~ muotoon,
        lav ~ om til""",
    "extract": """
        extrahera*, udtræk*, trekk ut, træk ~ ud, hent ut, plocka ut, plukk ut, citera, citér, siter, rader med,
        linjer med, poimi*, lainaa*""",
    "arrange": """
        sortera*, sorter, sortér*, filtrera*, filtrer*, anonymisera*, anonymiser*, dubblett*, dublett*, dubletter,
        duplikat*, numrera*, nummerer*, formatera*, formater*, fyll i, fyll ut, udfyld*, järjestä*, lajittele*,
        suodata*, städa*, rydd*, maskera*, sladda*""",
    "edit": """
        byt, byta, bytt, döp om, omdøb*, omdöp*, gi ~ nytt navn, erstatt*, ersätt*, ändra*, ændr*, endre*,
        lägg till, tilføj*, legg til, ta bort, fjern*, slett*, radera*, rätta*, ret, rett, laga, fiks*, fixa*,
        uppdatera*, opdater*, oppdater*, refaktor*, kommentera*, kommenter*, istället för, i stedet for, lisää*,
        poista*, korvaa*, muuta*, korjaa*, nimeä ~ uudelleen, päivitä*, dokumentera*, dokumenter*, infoga*,
        indsæt*, hantera fel""",
    "rework": """
        skriv om, omskriv*, omformuler*, förenkla*, forenkl*, forbedr*, förbättra*, optimer*, artigare, enklere,
        enklare, kirjoita uudelleen, yksinkertaista*, paranna*""",
    "translate": "översätt*, oversett*, oversæt*, käännä*",
    "answer": """
        förklara*, forklar*, beskriv*, analysera*, analyser, jämför*, sammenlign*, räkna*, tæl, tell antall,
        hur många, hvor mange, hitta ~ fel*, find ~ fejl*, finn ~ feil*, selitä*, kuvaile*, montako, kuinka monta,
        vertaa*, betyder""",
    "check": "granska*, kontrollera*, kontroller*, tjek*, sjekk*, kolla*, tarkista*, gennemgå*",
    "ask": """
        ^vad, ^vem, ^hur, ^varför, ^när, ^vilk*, ^hvad, ^hvem, ^hvordan, ^hvorfor, ^hvornår, ^hvor, ^hvilk*, ^hva,
        ^når, ^mitä, ^mikä, ^kuka, ^miksi, ^miten, ^milloin, ^missä, ^paljonko, ^är, ^kan man""",
    "new": """
        titel, rubrik*, overskrift*, tittel, commit-meddelande*, commit-besked*, commitmelding*, enhetstest*,
        tester, tests, dikt*, digt*, novell*, berättelse, historie, svara*, svar, besvar*, fortsätt*, fortsæt*,
        fortsett*, föreslå*, foreslå*, idéer, regulärt uttryck, otsik*, runo*, tarina*, vasta*, jatka*, ehdota*,
        testit""",
    "create": """
        ^skriv*, ^skapa*, ^lav et, ^lav en, ^lag et, ^lag en, ^generera*, ^generer*, ^hitta på, ^kirjoita*, ^luo,
        ^keksi*""",
    "get": """
        lista, vis, visa, ge, giv, gi, alla, alle, bara, kun, bare, endast, hitta, find, finn, kaikki, vain, näytä""",
    "item": """
        datum, datoer, adresser, e-postadresser, länkar, links, lenker, priser, namn, navne, navn, rader, linjer,
        linjene, sätninger, meningar, telefonnummer*, rivit, päivämäärät, osoitteet""",
    "format": "tabell, tabel, tabellen, taulukko*, taulukoksi, punktlista, punktliste",
    "into": "till, til, som, i, på",
    "preserve": """
        inget annat, ikke andet, ingenting annet, ellers, resten, ordagrant, ordret, oförändrat, uændret, uendret,
        mitään muuta, sanasta sanaan""",
    "negate": "inte, ikke, utan, uden, uten, aldrig, älä, ei",
    "polite": """
        snälla, tack, kan du, kunne du, vær så snill, venligst, gärna, mig, meg, og, och, så, ole hyvä, voitko,
        jag vill, jeg vil, texten""",
    "refer": """
        ovan, nedan, ovenstående, nedenstående, följande, følgende, denna, denne, dette, detta, texten, teksten,
        koden, tämä teksti, yllä, alla oleva""",
    "codeword": """
        kommentarer, kommentarerna, kommentarerne, docstrings, kommentit, felhantering, fejlhåndtering,
        feilhåndtering""",
}
