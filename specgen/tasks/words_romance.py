"""French, Spanish, Portuguese and Italian request words, by class (see `lexicon.Ask`). Data only: `lexicon` describes the pattern syntax."""

from __future__ import annotations

FRENCH = {
    "summary": """
        ^resume*, resumer, resumez, resume-*, un resume, le resume, resume en, synthes*, synthetis*, points cles,
        points principaux, points importants, points essentiels, idees principales, idees cles, idees essentielles,
        idee principale, l essentiel, essentiel, en bref, compte rendu, compte-rendu, grandes lignes, recapitul*,
        recap, faits saillants, messages cles, notes de version, principaux points, principales idees,
        principaux arguments, principales conclusions, retenir""",
    "shorten": """
        raccourci*, abreg*, condens*, plus court*, reduis ~ mots, reduire ~ mots, en ~ mots, en ~ phrases,
        ramene* ~ mots""",
    "proofread": """
        orthograph*, grammair*, grammatical*, ponctuation, fautes, faute de frappe, fautes de frappe, relis,
        relire, relecture, coquilles, accords, corrige ce texte, corrige le texte, corrigez ce texte,
        corrige cette phrase""",
    "convert": """
        convertis, convertir, convertissez, conversion, transforme, transformez, transformer en, exporte, exportez,
        reformat*, mets ~ sous forme, mettre ~ sous forme, migre*, passe ~ en""",
    "extract": """
        liste toutes, liste tous, donne ~ toutes les, donne ~ tous les, affiche ~ toutes, affiche ~ tous,
        trouve toutes, trouve tous, extrai*, extraction, cite, citer, citez, copie, recopi*, releve*, lignes qui,
        lignes avec, lignes contenant, phrases qui, phrases ou, passages qui, mot pour mot les, entrees qui""",
    "arrange": """
        tri, trie, trier, triez, classe par, class* ~ par, filtr*, anonymis*, caviard*, masqu*, doublons,
        supprim* ~ doublons, numerot*, indent*, mets en forme, mise en forme, formate*, nettoi*, nettoy*, rempli*,
        complete le modele, complete le formulaire, majuscules, minuscules, ordonn*, fusionn*, dedoublonn*,
        regroup*, normalis*, pseudonymis*, censur*""",
    "edit": """
        renomm*, remplac*, ajout*, supprim*, enlev*, retir*, corrig*, modifi*, change, changer, changez,
        mets a jour, mettre a jour, refactor*, refactoris*, insere*, inserer, deplac*, commente, commenter,
        commentez, documente, documenter, annote*, adapte, adaptez, resous*, resoudre, repar*, implemente,
        implementer, implementez, efface*, active, desactive*, utilis* ~ au lieu, au lieu, modernis*,
        gestion d erreur*, gestion des erreurs, gere les erreurs, rends ~ generique, rends ~ asynchrone,
        rends ~ facultatif, annul*, augment*, ote, applique, appliquez, passe ~ python""",
    "rework": """
        transform* ~ en un, transform* ~ en une, fais-en un, fais-en une, rends ce, rends le, rends la, rends-le,
        sonne, reecri*, reformul*, simplifi*, amelior*, optimis*, plus simple*, plus poli*, plus formel*,
        plus soutenu*, ton plus, tes propres mots, vulgaris*, paraphras*, etoff*, developpe""",
    "translate": "tradui*, traduction, traduc*",
    "answer": """
        expliqu*, decri*, analys*, compar*, commente ce que, evalu*, compte, compter, combien, trouve ~ bug*,
        trouve ~ erreur*, cherche ~ bug*, avantages et, interprete*, signifie, moyenne, avis, diagnostiqu*,
        difference entre, calcul*, critique*, dis-moi, donne ton""",
    "check": "verifi*, controle*, examin*, passe en revue, jette un oeil, revois",
    "ask": """
        ^que, ^quoi, ^qu, ^qui, ^quel*, ^quand, ^comment faire, ^comment fonctionn*, ^comment on, ^comment je,
        ^comment est*, ^comment ca, ^comment la, ^comment le, ^comment les, ^comment cette, ^comment ce,
        ^comment march*, ^comment puis-je, ^comment peut-on, ^comment amelior*, ^pourquoi, ^ou, ^combien, ^est-ce,
        ^est ce, ^y a-t-il, ^a quoi, ^a qui, ^a quelle*, ^a partir de quand, ^de quoi, ^lequel, ^laquelle,
        ^lesquel*, ^c est quoi, ^peut-on, ^dans quel*, ^faut-il, ^de combien, ^est-il""",
    "new": """
        titre*, message de commit, message de validation, tests unitaires, test unitaire, des tests, poeme*, haiku,
        histoire, repond*, reponse, objet du mail, slogan*, expression reguliere, continue, continuez, continuer,
        suite de, la suite, classifi*, categoris*, sentiment*, questions sur, quiz, mots-cles, mots cles, idees de,
        idees pour, suggestion*, propos*, conseil*, recommand*, accroche*, un mot, seul mot, oui ou non,
        positif ou negatif, tweet*, lettre de motivation, meilleur nom, tutoriel, plan de, un plan""",
    "artefact": "fonction*, script*, programme*, requete*, classe",
    "create": """
        ^ecri*, ^redig*, ^cree*, ^creer, ^genere*, ^propose, ^proposer, ^proposez, ^invente, ^inventer, ^inventez,
        ^compose, ^composez, ^imagin*, ^suggere*, ^trouve-moi, ^prepare*, ^concoi*, ^elabor*""",
    "get": """
        liste, listez, lister, donne*, donne-moi, montre*, affiche*, trouve*, cherche*, garde*, gardez, seulement,
        uniquement, juste, tous, toutes, toute, chaque, que les, rien que, dresse""",
    "item": """
        adresses, liens, dates, numeros, montants, noms, prix, lignes, phrases, passages, erreurs, avertissements,
        chiffres, lieux, horaires, heures, courriels, mails, emails, entrees, colonnes, telephones, citations""",
    "format": "tableau, tableaux, table, liste a puces, texte brut",
    "codeword": """
        commentaires, commentaire, docstrings, gestion d erreur*, messages, annotations, types, noms de variables,
        typage""",
    "into": "en, vers, au, a, sous, dans",
    "preserve": """
        rien d autre, sans rien changer, sans changer, sans toucher, sans modifier, le reste, mot pour mot,
        tel quel, telle quelle, telles quelles, tels quels, a l identique, ne change*, ne touche*, ne modifie*,
        fichier complet, fichier entier""",
    "negate": "ne, pas, sans, jamais, n, aucun",
    "polite": """
        s il te plait, s il vous plait, stp, svp, peux-tu, peux tu, pouvez-vous, pourrais-tu, pourriez-vous,
        tu peux, vous pouvez, merci de, merci, bonjour, et, puis, ensuite, moi, je veux, je voudrais, j aimerais,
        il faut, veuillez, le, la, les, une, fais-moi, fais moi, fais, faites, fait""",
    "refer": """
        ci-dessus, ci-dessous, suivant*, ce texte, ce code, ce mail, ce fichier, ce message, ce rapport,
        cet article, cet email, cette fonction, cette liste, cette classe, ces lignes, ces donnees, le texte,
        le code, precedent*, du texte""",
}

SPANISH = {
    "summary": """
        resumen*, ^resume*, ^resumir, resumir, resumi*, ^resuma*, ^resumelo, hacer un resumen, sintesis, sinteti*,
        puntos clave, puntos principales, puntos importantes, ideas principales, ideas clave, idea principal,
        en pocas palabras, lo esencial, lo mas importante, lo principal, acta, acta de la reunion, recapitul*,
        conclusiones principales, notas de la version, notas de version, mas importantes, mas importante,
        claves del texto, en breve, aspectos clave, de que va""",
    "shorten": """
        acort*, abrevi*, condens*, mas corto, mas breve, reduc* ~ palabras, reduce* ~ palabras, en ~ palabras,
        en ~ frases, en ~ lineas, recort*""",
    "proofread": """
        ortogra*, gramatica*, puntuacion, erratas, faltas, tildes, acentos, corrige el texto, corrige este texto,
        corregir el texto, corrige la redaccion, errores de escritura, revision ortografica""",
    "convert": """
        conviert*, convertir*, convierta*, transforma*, exporta, exportar, exporte, pasa ~ a, pasalo a, pasar ~ a,
        reformat*, migra, migrar""",
    "extract": """
        lista todas, lista todos, dame todas, dame todos, muestra todas, muestra todos, encuentra todas,
        encuentra todos, extrae*, extraer, extraiga*, cita, citar, copia, copiar, lineas que, lineas con,
        frases que, filas que, filas con, oraciones que, pasajes que, entradas que""",
    "arrange": """
        orden*, filtr*, anonimi*, tacha, tachar, oculta*, enmascar*, duplicad*, numera, numerar, formate*, indent*,
        sangr*, limpia*, rellen*, complet* ~ plantilla, mayusculas, minusculas, agrup*, normaliz*, censur*,
        da formato, unifica*, fusion*""",
    "edit": """
        renombr*, cambi*, reemplaz*, sustitu*, agreg*, anad*, añad*, elimin*, quita*, borra*, suprim*, corrig*,
        correg*, arregl*, modific*, actualiz*, refactoriz*, insert*, muev*, mover, comenta, comentar,
        coment* ~ codigo, documenta, documentar, adapta, adaptar, adapte, resuelv*, resolver, implementa,
        implementar, implemente, usa ~ en vez, usa ~ en lugar, en vez de, en lugar de, activa, activar, desactiva,
        desactivar, repar*, moderniz*, haz que, tipos a, manejo de errores, aplica, deshaz, aument*, solucion*,
        ajust*, pon, ponle, pasa ~ python""",
    "rework": """
        conviert* ~ en un, conviert* ~ en una, transform* ~ en un, transform* ~ en una, hazlo, suene, que suene,
        reescrib*, reformul*, simplific*, mejor*, optimiz*, parafras*, mas formal, mas amable, mas sencillo,
        mas simple, tono, tus palabras, palabras sencillas, lenguaje sencillo, amplia*""",
    "translate": "traduc*, traduzc*, traducir, traduccion",
    "answer": """
        explica*, explique*, explicar*, describ*, analiz*, compar*, evalu*, cuenta las, cuenta los, contar, cuant*,
        encuentra ~ error*, busca ~ error*, encuentra ~ fallo*, busca ~ fallo*, interpret*, significa, significan,
        promedio, opin*, diferencia*, calcul*, pros y contras, critica, dime, valora*""",
    "check": "revis*, comprueb*, verific*, examin*",
    "ask": """
        ^que, ^quien*, ^cual*, ^cuando, ^como, ^por que, ^donde, ^cuant*, ^para que, ^hay, ^es, ^son, ^esta bien,
        ^puedo, ^a que, ^de que, ^en que, ^desde cuando, ^se puede, ^de donde, ^a partir de cuando, ^a cuanto""",
    "new": """
        titul*, mensaje de commit, mensaje del commit, pruebas unitarias, prueba unitaria, tests, test, poema*,
        haiku, cuento, historia, respond*, responde*, contest*, respuesta*, asunto, eslogan, expresion regular,
        continua, continuar, continue, sigue, clasific*, categoriz*, sentimiento*, preguntas sobre, preguntas de,
        cuestionario, palabras clave, ideas para, ideas de, suger*, sugier*, propon*, consejo*, recomend*,
        una palabra, sola palabra, si o no, positiv* o negativ*, tuit*, carta de presentacion, mejor nombre,
        plan de, un plan, tutorial, documentacion, etiqueta""",
    "artefact": "funcion*, script*, programa*, consulta*, clase",
    "create": """
        ^escrib*, ^redact*, ^crea, ^crear, ^cree, ^genera, ^generar, ^generame, ^genere, ^propon*, ^inventa,
        ^inventar, ^inventame, ^compon, ^componer, ^elabor*, ^disen*, ^prepar*, ^piens*, ^imagin*""",
    "get": """
        lista, listar, dame, da, muestr*, mostrar, imprim*, encuentr*, busca, deja, solo, solamente, unicamente,
        todas, todos, cada, enumera""",
    "item": """
        fechas, cantidades, nombres, correos, direcciones, enlaces, telefonos, precios, lineas, filas, frases,
        oraciones, numeros, importes, errores, lugares, horas, horarios, entradas, cifras, columnas, citas""",
    "format": "tabla, tablas, lista con vinetas, texto plano",
    "codeword": """
        comentarios, comentario, docstrings, mensajes, anotaciones, tipos, nombres de variables, manejo de errores,
        cadenas de documentacion""",
    "into": "a, en, como, al",
    "preserve": """
        nada mas, sin cambiar, sin modificar, sin tocar, el resto, lo demas, palabra por palabra, tal como,
        tal cual, literal*, no cambies, no toques, no modifiques, archivo completo, textual*""",
    "negate": "no, sin, nunca, ni",
    "polite": """
        por favor, puedes, podrias, puede, podria, me, hola, y, luego, despues, quiero, quiero que, necesito,
        quisiera, un, una, el, la, los, las, haz, hazme, haga, haceme, hace""",
    "refer": """
        anterior*, siguiente*, este texto, este codigo, este correo, este articulo, este archivo, esta funcion,
        esta lista, estas lineas, estos datos, el texto, el codigo, de arriba, de abajo""",
}

PORTUGUESE = {
    "summary": """
        resumo*, ^resum*, resumir, resuma*, um resumo, sintese, sintetiz*, pontos principais, pontos-chave,
        pontos chave, pontos importantes, ideias principais, ideia principal, ideia central, principais pontos,
        principais ideias, mais importante*, em poucas palavras, o essencial, ata, ata da reuniao, recapitul*,
        notas de versao, notas da versao, destaques""",
    "shorten": """
        encurt*, abrevi*, condens*, mais curto, mais breve, reduza ~ palavras, reduz* ~ palavras, em ~ palavras,
        em ~ frases, em ~ linhas""",
    "proofread": """
        ortograf*, gramatica*, gramaticais, pontuacao, erros de digitacao, erros de portugues, acentuacao,
        corrija o texto, corrija este texto, corrige o texto, revisao ortografica, concordancia""",
    "convert": """
        convert*, converta*, transforme, transforma, transformar, exporte, exportar, exporta, passe ~ para,
        reformat*, migre""",
    "extract": """
        liste todas, liste todos, lista todas, mostre todas, mostre todos, encontre todas, encontre todos, extrai*,
        extraia*, extrair, cite, citar, copie*, copia, linhas que, linhas com, frases que, registros que,
        trechos que""",
    "arrange": """
        orden*, filtr*, anonimiz*, ocult*, duplicad*, duplicat*, numere, numera, formate*, indent*, limpe, limpar,
        preench*, maiusculas, minusculas, agrup*, normaliz*, mascar*, classifique por, tarje*""",
    "edit": """
        renomei*, renome*, troc*, troque*, substitu*, adicion*, acrescent*, remov*, apag*, exclua, excluir, exclui,
        elimin*, corrij*, corrig*, consert*, conserte, arrum*, modifi*, mude, mudar, mud*, altere, altera, alterar,
        atualiz*, refator*, insira, inserir, mova, comente, comentar, documente, documentar, adapte*, resolva,
        resolver, resolve, implemente, implementar, implementa, use ~ em vez, em vez de, ative, desative,
        moderniz*, faca com que, tratamento de erro*, coloque, tire, ajust*, aument*, aplique, desfaca,
        passe ~ python""",
    "rework": """
        transform* ~ em um, transform* ~ em uma, torne*, deixe o texto, deixe mais, soe, reescrev*, reformul*,
        simplifi*, melhor*, otimiz*, parafras*, mais formal, mais simples, mais educado, tom mais, suas palavras,
        linguagem simples, ampli*""",
    "translate": "traduz*, traducao, tradu*",
    "answer": """
        explica*, explique*, explicar*, descrev*, analis*, compar*, avali*, conte, contar, quanto, quantos, quanta,
        quantas, encontre ~ erro*, ache ~ erro*, encontre ~ bug*, interpret*, significa, significam, a media,
        diferenca*, calcul*, pros e contras, critique, diga, me diga""",
    "check": "verifi*, confira, revis*, examin*, cheque*",
    "ask": """
        ^o que, ^que, ^quem, ^qual, ^quais, ^quando, ^como, ^por que, ^porque, ^onde, ^aonde, ^quanto*, ^quanta*,
        ^para que, ^ha, ^existe*, ^posso, ^em que, ^de que, ^a partir de, ^sera, ^esta""",
    "new": """
        titul*, mensagem de commit, mensagem do commit, testes unitarios, teste unitario, testes, teste, poema*,
        haicai, historia, respond*, resposta*, assunto, slogan, expressao regular, continue, continuar, continua,
        classifi*, categoriz*, sentimento*, perguntas sobre, questionario, palavras-chave, palavras chave,
        ideias para, ideias de, suger*, sugir*, proponh*, conselho*, dicas, recomend*, uma palavra, unica palavra,
        sim ou nao, positiv* ou negativ*, tuite, carta de apresentacao, melhor nome, plano de, um plano,
        documentacao""",
    "artefact": "funcao*, funcoes, script*, programa*, consulta*, classe",
    "create": """
        ^escrev*, ^redij*, ^redig*, ^crie, ^criar, ^cria, ^gere, ^gerar, ^propon*, ^invente, ^inventar, ^componha,
        ^elabor*, ^faca um plano, ^prepar*, ^pense, ^imagin*, ^desenh*""",
    "get": """
        liste, lista, listar, de-me, me de, mostr*, imprim*, encontr*, ache, mantenha, deixe, apenas, somente, so,
        todas, todos, cada, enumere""",
    "item": """
        datas, valores, nomes, emails, e-mails, enderecos, links, telefones, precos, linhas, frases, numeros,
        erros, lugares, horarios, entradas, citacoes, colunas""",
    "format": "tabela, tabelas, lista com marcadores, texto puro",
    "codeword": """
        comentarios, comentario, docstrings, mensagens, anotacoes, tipos, nomes de variaveis, tratamento de erros""",
    "into": "para, em, como, a, ao",
    "preserve": """
        nada mais, sem mudar, sem alterar, sem modificar, o resto, palavra por palavra, exatamente como, tal como,
        literal*, nao mude, nao altere, arquivo completo, arquivo inteiro, sem tocar""",
    "negate": "nao, sem, nunca, nem",
    "polite": """
        por favor, pode, poderia, voce pode, voce poderia, me, ola, oi, e, depois, quero, quero que, preciso,
        gostaria, um, uma, o, a, os, as, faca, faz, fazer""",
    "refer": """
        acima, abaixo, anterior, seguinte*, este texto, este codigo, este email, este artigo, este arquivo,
        esta funcao, esta lista, esse texto, esse codigo, essa lista, estes dados, o texto, o codigo""",
}

ITALIAN = {
    "summary": """
        riassu*, riassunto, sintesi, sintetizz*, punti chiave, punti principali, punti salienti, punti importanti,
        idee principali, idea principale, concetti chiave, concetti principali, in breve, in poche parole,
        l essenziale, essenziale, verbale, il verbale, riepilog*, note di rilascio, piu importanti, piu importante,
        messaggio principale""",
    "shorten": """
        accorci*, abbrevi*, condens*, piu corto, piu breve, riduci ~ parole, ridurre ~ parole, in ~ parole,
        in ~ frasi, in ~ righe""",
    "proofread": """
        ortogra*, grammatica*, punteggiatura, refusi, errori di battitura, errori di scrittura, correggi il testo,
        correggi questo testo, correggere il testo, bozze, accenti""",
    "convert": "convert*, trasform*, esport*, riformatta*, metti ~ in formato, migra",
    "extract": """
        elenca tutti, elenca tutte, mostra tutti, mostra tutte, dammi tutti, dammi tutte, trova tutti, trova tutte,
        estra*, estrai*, cita, citare, copia, ricopia*, righe che, righe con, frasi che, passaggi che, voci che,
        righe contenenti""",
    "arrange": """
        ordina, ordinare, ordinami, ordinali, filtr*, anonimizz*, oscura*, censura*, mascher*, duplicat*, doppion*,
        numera, numerare, formatta*, indenta*, ripulisci, pulisci, compila il modulo, compila il modello, riempi*,
        maiuscol*, minuscol*, raggrupp*, normalizz*, elimina ~ duplicat*""",
    "edit": """
        rinomin*, sostitui*, aggiung*, rimuov*, rimuovere, togli*, elimin*, cancella, cancellare, corregg*,
        modific*, cambi*, aggiorn*, refactor*, rifattorizz*, inseri*, spost*, commenta, commentare, documenta,
        documentare, adatt*, risolv*, ripar*, sistema*, implementa, implementare, usa ~ invece, invece di,
        al posto di, attiva*, disattiva*, modernizz*, fai in modo, gestione degli errori, gestisci, applica,
        applicare, annulla*, aument*, imposta*, porta ~ python, metti""",
    "rework": """
        trasform* ~ in un, trasform* ~ in una, rendi*, suoni, riscriv*, riformul*, semplific*, miglior*, ottimizz*,
        parafras*, piu formale, piu semplice, piu gentile, tono, parole tue, parole semplici, amplia*""",
    "translate": "traduc*, traduzione",
    "answer": """
        spieg*, descriv*, analizz*, confront*, valut*, conta, contare, quanto, quanti, quante, quanta,
        trova ~ bug*, trova ~ errori, cerca ~ errori, interpret*, significa, significano, la media, opinion*,
        differenz*, calcol*, pro e contro, dimmi, critica""",
    "check": "verific*, controll*, esamin*, rivedi, revision*",
    "ask": """
        ^che, ^chi, ^cosa, ^quale, ^quali, ^qual, ^quando, ^come, ^perche, ^dove, ^quanto, ^quanti, ^quante,
        ^quanta, ^a cosa, ^di cosa, ^c e, ^ci sono, ^posso, ^si puo, ^a che, ^da quando, ^in che, ^dov e, ^cos e""",
    "new": """
        titol*, messaggio di commit, messaggio per il commit, test unitari, unit test, dei test, test per, poesia*,
        haiku, storia, racconto, rispond*, risposta, oggetto, slogan, espressione regolare, continua, continuare,
        prosegui, classific*, categorizz*, sentiment*, domande su, domande sul, quiz, parole chiave, idee per,
        suggeri*, propon*, proposta*, consigl*, raccomand*, una parola, sola parola, si o no, positiv* o negativ*,
        lettera di presentazione, nome migliore, piano di, un piano, tutorial, documentazione""",
    "artefact": "funzione, script*, programma, query, classe",
    "create": """
        ^scriv*, ^redig*, ^crea, ^creare, ^crei, ^genera, ^generare, ^generami, ^inventa*, ^componi*, ^elabora*,
        ^prepara*, ^pensa*, ^immagina*, ^progetta*, ^ideare""",
    "get": """
        elenca*, lista, dammi, mostra*, stampa*, trova*, cerca*, tieni, mantieni, lascia, solo, soltanto, tutte,
        tutti, ogni, restituisci""",
    "item": """
        date, importi, nomi, indirizzi, link, telefoni, prezzi, righe, frasi, numeri, errori, luoghi, orari, email,
        e-mail, voci, colonne, citazioni, cifre""",
    "format": "tabella, tabelle, elenco puntato, testo semplice",
    "codeword": """
        commenti, commento, docstring*, messaggi, annotazioni, tipi, nomi delle variabili, gestione degli errori""",
    "into": "in, come, a",
    "preserve": """
        nient altro, senza cambiare, senza modificare, senza toccare, il resto, parola per parola, cosi come,
        tale e quale, letteral*, testual*, non cambiare, non toccare, non modificare, file completo""",
    "negate": "non, senza, mai, ne",
    "polite": """
        per favore, per piacere, puoi, potresti, puo, potrebbe, mi, ciao, e, poi, vorrei, voglio, ho bisogno di,
        un, una, il, lo, la, le, gli, fai, fammi, fare, fa""",
    "refer": "sopra, sotto, seguente*, precedente*, questo, questa, questi, queste, il testo, il codice",
}
