"""Task detection: own labelled rows in many languages, the shared labelled set, and what must hold for any input."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specgen.tasks import TASKS, Detection, detect

INPUTS = {
    "": "",
    "py": '''\
import json

class Basket:
    def __init__(self, items):
        self.items = items

    def total(self):
        s = 0
        for i in self.items:
            s += i["price"] * i["n"]
        return s


def load(path):
    with open(path) as f:
        return Basket(json.load(f))
''',
    "ts": """\
import { readFile } from "fs/promises";

export async function loadUsers(path: string) {
  const raw = await readFile(path, "utf8");
  return JSON.parse(raw).map((u: any) => ({ id: u.id, mail: u.email.toLowerCase() }));
}
""",
    "js": """\
function greet(names) {
  var out = [];
  for (var i = 0; i < names.length; i++) {
    out.push("Hello " + names[i]);
  }
  return out;
}
module.exports = greet;
""",
    "java": """\
public class Stack {
    private int[] data = new int[16];
    private int size;

    public void push(int value) {
        data[size++] = value;
    }

    public int pop() {
        return data[--size];
    }
}
""",
    "php": """\
<?php
function price($net) {
    $tax = $net * 0.19;
    return $net + $tax;
}
echo price(100);
""",
    "sql": "SELECT id, title FROM books\nWHERE year > 1999\nORDER BY title;\n",
    "sh": "#!/usr/bin/env bash\nset -e\nfor f in *.wav; do\n  lame $f ${f%.wav}.mp3\ndone\n",
    "html": '<ul class="menu">\n  <li><a href="/">Start</a></li>\n  <li><a href="/shop">Shop</a></li>\n</ul>\n',
    "css": ".card {\n  float: left;\n  width: 31%;\n  margin: 0 1%;\n}\n\n.card h2 {\n  color: red;\n}\n",
    "compose": "services:\n  web:\n    image: nginx:1.25\n    ports:\n      - '8080:80'\n  cache:\n    image: redis:6\n",
    "toml": '[tool.black]\nline-length = 88\n\n[tool.isort]\nprofile = "black"\nskip = ["build"]\n',
    "docker": "FROM python:3.8\nCOPY . /app\nRUN pip install -r /app/requirements.txt\nCMD python /app/main.py\n",
    "tsconfig": '{\n  "compilerOptions": {\n    "target": "es5",\n    "strict": false\n  },\n  "include": ["src"]\n}\n',
    "conflict": "<<<<<<< HEAD\nport = 8080\n=======\nport = 9090\n>>>>>>> staging\nhost = localhost\n",
    "csv": "name;city;joined\nOlga;Riga;2019-04-01\nPiet;Delft;2021-11-12\nOlga;Riga;2019-04-01\nSun;Busan;2020-02-29\n",
    "json": '[\n  {"sku": 7, "title": "Kettle", "price": 31.5},\n  {"sku": 9, "title": "Toaster", "price": 24.0}\n]\n',
    "jsonl": '{"user": "kim", "score": 3}\n{"user": "lee", "score": 9}\n{"user": "ann", "score": 5}\n',
    "xml": "<orders>\n  <order id='1'><total>12.00</total></order>\n  <order id='2'><total>8.50</total></order>\n</orders>\n",
    "env": "DB_HOST=localhost\nDB_PORT=5432\nDEBUG=1\nSECRET=changeme\n",
    "log": (
        "2030-01-03 11:02:01 INFO  worker-1 job 118 started\n"
        "2030-01-03 11:02:09 WARN  worker-1 slow disk: 412 ms\n"
        "2030-01-03 11:02:10 ERROR worker-2 job 119 failed: no space left on device\n"
        "2030-01-03 11:02:12 INFO  worker-1 job 118 done\n"
    ),
    "diff": (
        "diff --git a/cart.py b/cart.py\n--- a/cart.py\n+++ b/cart.py\n@@ -1,4 +1,4 @@\n def total(items):\n"
        "-    return sum(items)\n+    return round(sum(items), 2)\n"
    ),
    "commits": "9f1c2aa add search by colour\n18be03d fix crash when the list is empty\n77aa10c bump pillow to 11\n",
    "article": (
        "The ferry between the two islands will be replaced by an electric boat next spring. The old ship burns four "
        "hundred litres of diesel a day and has been repaired nine times since 2019. The new one carries fewer cars, "
        "but it leaves every half hour instead of every hour.\n\nIslanders welcome the quiet engine. Hauliers do not: "
        "lorries above twelve tonnes will have to take the bridge, which is forty kilometres longer. The operator "
        "promises a night service for goods if at least six companies sign up before Christmas.\n"
    ),
    "typos": (
        "Deer neighbours, on saturday we will celebrates our summer party in the backyard. Their will be grilled "
        "vegetable and musik until ten oclock. If your disturbed by the noise, please to call us or just came over.\n"
    ),
    "mail": (
        "From: Helen\nTo: Support\nSubject: Delivery\n\nHello,\n\nmy parcel (order 4411) should have come on Monday. "
        "The tracking page says it was handed to a neighbour, but nobody here knows about it. Could you find out who "
        "signed for it? I am at home until Friday.\n\nKind regards\nHelen, helen@example.com, 555-0190\n"
    ),
    "talk": (
        "Ana: So, do we ship on the third?\nBo: The import is done, the export needs two more days.\nAna: Then the "
        "fifth. Who writes the announcement?\nBo: I can, if you send me the screenshots.\nAna: Will do, tonight.\n"
    ),
    "md": "# Setup\n\n1. Get the archive from https://example.org/a.zip\n2. Unpack it\n\n## Usage\n\nRun `tool --all`.\n",
    "de": (
        "Der Gemeinderat hat gestern beschlossen, das alte Freibad nicht zu schließen. Die Sanierung kostet rund zwei "
        "Millionen Euro und soll im Herbst beginnen. Ein Verein übernimmt den Kiosk und die Kasse. Der Eintritt steigt "
        "von drei auf vier Euro, Kinder zahlen weiterhin die Hälfte.\n"
    ),
    "fr": (
        "La boulangerie du village rouvrira en mars grâce à une coopérative. Quarante habitants ont acheté des parts à "
        "cent euros. Le four, vieux de soixante ans, sera remplacé, et un apprenti sera embauché dès l'été.\n"
    ),
    "es": (
        "El museo del ferrocarril abrirá los domingos a partir de mayo. La entrada costará seis euros y los menores de "
        "doce años no pagarán. Un tren de vapor saldrá cada hora hasta el antiguo puente.\n"
    ),
    "it": (
        "La biblioteca di quartiere resterà aperta fino a mezzanotte durante gli esami. Gli studenti potranno usare "
        "anche la sala al primo piano. Il bar chiuderà alle dieci, ma ci saranno due distributori automatici.\n"
    ),
    "pt": (
        "A escola vai trocar as lâmpadas antigas por luzes de baixo consumo. A obra começa nas férias e deve durar três "
        "semanas. A economia prevista é de doze mil reais por ano, que serão usados na compra de livros.\n"
    ),
    "nl": (
        "De gemeente legt dit najaar een nieuw fietspad aan langs het kanaal. Het pad wordt vier meter breed en krijgt "
        "verlichting die alleen brandt als er iemand langskomt. De bomen aan de noordkant blijven staan.\n"
    ),
    "pl": (
        "Miasto otworzy w czerwcu nową linię tramwajową na osiedle Północ. Przejazd do centrum potrwa dwadzieścia minut. "
        "Mieszkańcy skarżą się na hałas budowy, ale większość cieszy się z krótszej drogi do pracy.\n"
    ),
    "ru": (
        "Городская библиотека переезжает в новое здание у реки. Старый корпус закроют в октябре, а книги перевезут за "
        "три недели. Читатели смогут заказывать издания через сайт и получать их в автоматах у метро.\n"
    ),
    "sv": (
        "Kommunen bygger en ny simhall vid hamnen. Den gamla stängs i augusti eftersom taket läcker. Biljetterna blir "
        "dyrare, men barn under tio år badar gratis på vardagar.\n"
    ),
    "tr": (
        "Belediye, sahil yolundaki eski depoyu bir kültür merkezine dönüştürüyor. Çalışmalar nisan ayında başlayacak ve "
        "on ay sürecek. Merkezde iki sergi salonu ve küçük bir sinema olacak.\n"
    ),
    "zh": "社区图书馆将从下个月起延长开放时间。工作日开放到晚上九点,周末上午八点开门。志愿者会帮助老人使用自助借书机。\n",
    "ja": "来月から市民プールの営業時間が変わります。平日は朝七時から夜九時まで、土日は朝九時から夕方六時までです。工事のため、第二駐車場は使えません。\n",
    "ko": "다음 달부터 마을 도서관이 밤 열 시까지 문을 엽니다. 주말에는 어린이 독서 교실이 열리고, 오래된 책은 무료로 나누어 줍니다.\n",
}

# label, argument, key of the piped input, file name
ROWS = """\
summarize   | summarise in two sentences | article
summarize   | tldr pls | mail
summarize   | What are the main points? | article
summarize   | recap of the meeting, with owners | talk
summarize   | shorten this to about 40 words | article
summarize   | I need the essentials only, three bullets | article
summarize   | Could you boil this down to one sentence? | article
summarize   | turn these commits into release notes for users | commits
summarize   | give me a quick summary of what this class does | py | basket.py
summarize   | summarize the changes for a non-technical reader | diff
summarize   | key findings as a list, nothing else | article | study.txt
summarize   | Write a two line synopsis | article
summarize   | what went wrong here, in a nutshell? | log
summarize   | draft the minutes | talk
summarize   | most important facts, bullet points | mail
summarize   | I have no time to read this. Give me the short version. | article
code_edit   | rename Basket to Cart everywhere | py | basket.py
code_edit   | add type annotations | py
code_edit   | please document every method with a docstring | py
code_edit   | use a generator expression in total() | py
code_edit   | make load() return an empty basket if the file is missing | py | basket.py
code_edit   | replace any with a proper interface | ts | users.ts
code_edit   | let/const instead of var | js
code_edit   | can you make pop() throw when the stack is empty? | java | Stack.java
code_edit   | make it generic | java
code_edit   | also return the author, newest first | sql
code_edit   | quote the file names properly | sh
code_edit   | switch this to flexbox | css
code_edit   | add an aria label to the nav list | html
code_edit   | pin redis to 7.2 and add a restart policy | compose | docker-compose.yml
code_edit   | set the line length to 120 | toml | pyproject.toml
code_edit   | turn on strict mode, target es2022 | tsconfig | tsconfig.json
code_edit   | multi-stage build, slim image, non-root user | docker | Dockerfile
code_edit   | take the staging side of the conflict | conflict
code_edit   | get rid of the magic number | php
code_edit   | refactor and explain briefly what you changed | php
code_edit   | clean up this code without changing its behaviour | js
code_edit   | turn DEBUG off | env | .env
code_edit   | find and fix the bug | java
code_edit   | translate only the comments into English | py
code_edit   | sort the imports | ts
code_edit   | undo this patch and show me the old file:\\n\\n@@ -1,2 +1,2 @@\\n-import json\\n+import orjson | py
copy_heavy  | correct the mistakes, change nothing else | typos
copy_heavy  | proof-read please | typos | invitation.txt
copy_heavy  | sort by city | csv
copy_heavy  | drop the duplicate rows | csv | members.csv
copy_heavy  | as JSON please | csv
copy_heavy  | to csv | jsonl
copy_heavy  | reformat as a markdown table | json
copy_heavy  | pretty print | json
copy_heavy  | convert to yaml | xml
copy_heavy  | turn this html into markdown | html
copy_heavy  | black out all names and phone numbers | mail
copy_heavy  | anonymise | mail
copy_heavy  | list every e-mail address | mail
copy_heavy  | quote the sentences that mention money or time | article
copy_heavy  | copy out the passage about lorries | article
copy_heavy  | just the WARN and ERROR lines | log
copy_heavy  | strip the timestamps | log
copy_heavy  | change "saturday" to "Sunday" | typos
copy_heavy  | add 10 percent to every price | json
copy_heavy  | one sentence per line, no other changes | article
copy_heavy  | fill in this letter with the data from the file:\\n\\nDear {name},\\nyour place in {city} is reserved. | csv
copy_heavy  | put British spelling everywhere | typos
copy_heavy  | keep only people who joined after 2020 | csv
copy_heavy  | number the lines | talk
general     | explain | py
general     | what does load() do? | py
general     | is there a race condition in here? | ts
general     | review this change | diff
general     | write a commit message | diff
general     | port this to Kotlin | java
general     | write tests with pytest | py
general     | write a README for this | ts
general     | translate into Dutch | article
general     | in French please | article
general     | answer this mail, friendly but short | mail
general     | who will write the announcement? | talk
general     | think of three catchy headlines | article
general     | positive or negative? | article
general     | how many rows are there? | csv
general     | which city appears most often | csv
general     | make it sound more formal | mail
general     | rewrite it for ten year olds | article
general     | turn this into a haiku | article
general     | five quiz questions about this text | article
general     | continue | article
general     | do you agree with the author? | article
general     | what would be a better name for this class? | py
general     | write a tweet about this | article
general     | find the bug but don't change the code | java
general     | what is the time complexity of this function? | js
general     | generate a matching TypeScript type | json
general     | write a regular expression that matches these lines | log
general     | suggest tags | article
general     | why is this query slow | sql
general     | proofread my essay
general     | summarize War and Peace
general     | convert 5 miles to km
general     | write a function that sorts a list of dicts by key
general     | how do I extract a zip file in python?
general     | rename all the things
general     | what is the plural of "octopus"?
general     | tips for writing a good executive summary
general     | Draft a polite mail to my landlord: the heating is broken and it is cold.
general     | refactoring vs rewriting: when should I do which?
general     | Who wrote "The old man and the sea"?
general     | give me a recipe: potatoes, leek, cream
general     | | article
general     | | py | basket.py
general     | | csv
general     | | mail
summarize   | | mail+tail:In short, what does she want? Two sentences, summarised.
summarize   | | head:Summarize the article below for a newsletter.+article
code_edit   | | head:Add a docstring to each function in this file.+py
code_edit   | | py+tail:Rename load to load_basket in the code above.
copy_heavy  | | head:Fix the spelling in the following text:+typos
copy_heavy  | | csv+tail:Convert the table above to JSON.
general     | | head:Translate this into Italian:+article
general     | | py+tail:What does this code do?
summarize   | Summarize the following text: {article}
summarize   | {article}\\n\\nGive me the gist of this.
code_edit   | Simplify this:\\n\\n```python\\n{py}```
code_edit   | why not use pathlib? please change it\\n\\n{py}
code_edit   | add type hints: def area(w, h): return w * h
copy_heavy  | Correct this sentence: "Him and me was going to the cinema yesterday evening."
copy_heavy  | convert to a bulleted markdown list with links: {md}
copy_heavy  | make a CSV from this\\n\\n{json}
general     | Explain this function:\\n\\n```js\\n{js}```
general     | What is wrong with this sentence: "Him and me was going to the cinema yesterday evening."
general     | translate this | article+tail:Please summarize the text above.
general     | Translate "the early bird catches the worm" into German
summarize   | Fasse den Text in zwei Sätzen zusammen | de
summarize   | Zusammenfassung bitte | article
summarize   | die wichtigsten Punkte als Liste | de
summarize   | kürze das auf 30 Wörter | de
copy_heavy  | prüfe Grammatik und Kommasetzung | de
copy_heavy  | sortiere nach Beitrittsdatum | csv
copy_heavy  | wandle das in eine Markdown-Tabelle um | csv
copy_heavy  | alle Namen schwärzen | mail
code_edit   | benenne price in brutto um | php
code_edit   | Bitte die Funktion so ändern, dass sie bei leerer Liste None zurückgibt | py
general     | erkläre mir diesen Fehler | log
general     | übersetze ins Polnische | de
general     | wie viele Zeilen sind das? | csv
general     | Schreib mir eine Commit-Nachricht | diff
summarize   | résume cet article en trois points | fr
summarize   | quelles sont les idées principales ? | fr
copy_heavy  | corrige les fautes d'orthographe | fr
code_edit   | renomme la variable s en somme | py
code_edit   | ajoute des commentaires | js
general     | traduis en anglais | fr
general     | que fait cette fonction ? | js
summarize   | haz un resumen breve | es
copy_heavy  | ordena las filas por ciudad | csv
copy_heavy  | conviértelo a JSON | csv
code_edit   | arregla el error en pop | java
general     | ¿cuánto cuesta la entrada? | es
general     | tradúcelo al francés | es
summarize   | riassumi in due frasi | it
copy_heavy  | correggi gli errori di ortografia | it
code_edit   | aggiungi i tipi alla funzione | py
general     | spiega questo codice | js
general     | scrivi un titolo per questo articolo | it
summarize   | resuma em um parágrafo | pt
copy_heavy  | extraia todos os e-mails | mail
code_edit   | renomeie a classe para Carrinho | py
general     | explique o que este código faz | js
summarize   | vat samen in drie zinnen | nl
copy_heavy  | verbeter de spelfouten | nl
code_edit   | hernoem total naar som | py
general     | vertaal naar het Engels | nl
general     | waarom is deze query traag? | sql
summarize   | streść ten tekst w dwóch zdaniach | pl
copy_heavy  | popraw błędy ortograficzne | pl
code_edit   | dodaj obsługę błędów | py
general     | przetłumacz na angielski | pl
general     | co robi ten skrypt? | sh
summarize   | сделай краткое содержание | ru
copy_heavy  | исправь ошибки, остальное не трогай | ru
copy_heavy  | преобразуй в таблицу markdown | csv
code_edit   | переименуй класс Basket в Cart | py
general     | переведи на английский | ru
general     | объясни, что делает этот код | js
general     | сколько стоит проект? | ru
summarize   | sammanfatta texten i en mening | sv
copy_heavy  | rätta stavfelen | sv
general     | översätt till engelska | sv
summarize   | metni üç cümleyle özetle | tr
general     | İngilizceye çevir | tr
summarize   | 用一句话概括 | zh
copy_heavy  | 改正错别字,其他不要动 | zh
copy_heavy  | 转换成 JSON | csv
code_edit   | 给每个函数加上类型注解 | py
general     | 解释一下这段代码 | js
general     | 写一条提交信息 | diff
summarize   | 一文で要約して | ja
copy_heavy  | 誤字脱字を直してください | ja
code_edit   | 関数名を greet_all に変更してください | js
general     | 英語に翻訳してください | ja
general     | このコードは何をしていますか | py
summarize   | 세 문장으로 요약해 줘 | ko
copy_heavy  | 맞춤법을 고쳐 주세요 | ko
code_edit   | 변수 이름을 더 알기 쉽게 바꿔 줘 | js
general     | 영어로 번역해 줘 | ko
general     | 이 코드를 설명해 줘 | py
""".splitlines()
