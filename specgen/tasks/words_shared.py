"""Classes whose words are few and stand together for all languages, by class (see `lexicon.Ask`). Data only."""

from __future__ import annotations

SHARED = {
    "tongue": """
        ins englische, ins deutsche, ins französische, ins spanische, ins polnische, auf englisch, auf deutsch,
        auf französisch, naar het engels, in het engels, naar het nederlands, naar het duits, in het nederlands,
        till engelska, til engelsk, till svenska, på engelska, på engelsk, englanniksi, suomeksi, en anglais,
        en francais, en allemand, en espagnol, en italien, al ingles, al frances, al aleman, al italiano,
        al portugues, al espanol, en ingles, en espanol, para o ingles, para ingles, para o espanhol,
        para o frances, para o alemao, em ingles, em portugues, in inglese, in italiano, in francese, in tedesco,
        in spagnolo, na angielski, na niemiecki, na polski, po angielsku, po niemiecku, на английск*, на русск*,
        на немецк*, по-английски, англійською, українською, do angličtiny, do češtiny, ingilizceye, türkçeye,
        angolra, sang tiếng, στα αγγλικά, לאנגלית, english, german, french, spanish, italian, portuguese, dutch,
        polish, russian, chinese, japanese, korean, turkish, swedish, danish, norwegian, finnish, czech, greek,
        hebrew, arabic, hindi, latin, ukrainian, hungarian, romanian, englisch*, deutsch*, französisch*, spanisch*,
        italienisch*, anglais, allemand, espagnol, italien, portugais, français, inglés, francés, alemán, italiano,
        portugués, español, inglês, francês, alemão, espanhol, inglese, francese, tedesco, spagnolo, engels, frans,
        duits, spaans, nederlands, angielski*, niemiecki*, polski, английск*, немецк*, русск*""",
    "whole": """
        whole file, full file, entire file, complete file, full code, full script, whole script, whole program,
        full program, whole class, entire class, ganze datei, vollständige datei, gesamte datei, ganzen code,
        fichier complet, fichier entier, code complet, archivo completo, código completo, arquivo completo,
        arquivo inteiro, file completo, codice completo, hele bestand, volledige bestand, cały plik, весь файл,
        весь код, 完整文件, 完整代码, ファイル全体, 全体を出力, 全体を表示, コード全体, 全文を出力, 전체 파일,
        파일 전체, 전체 코드""",
    "nothing": "nothing, nichts, rien, nada, niente, niets, nic, ничего, ingenting",
    "about": """
        for this script, for this code, for this function, for this program, for this server, for this file,
        for this class, for this project, for this query, for it, für dieses, für diese, pour ce, pour cette,
        para este, para esta, per questo, per questa, voor dit, voor deze, dla tego, для этого""",
}
