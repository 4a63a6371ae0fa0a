/** The names of characters: HTML 4, Latin letters of Europe, usual signs of HTML 5. Others stay. */

export const namedEntities: ReadonlyMap<string, string> = new Map(
  `
Tab:9 NewLine:a excl:21 QUOT:22 quot:22 num:23 dollar:24 percnt:25 AMP:26 amp:26 apos:27 lpar:28 rpar:29
ast:2a plus:2b comma:2c period:2e sol:2f colon:3a semi:3b LT:3c lt:3c equals:3d GT:3e gt:3e quest:3f
commat:40 lbrack:5b lsqb:5b bsol:5c rbrack:5d rsqb:5d Hat:5e lowbar:5f grave:60 lbrace:7b lcub:7b
verbar:7c vert:7c rbrace:7d rcub:7d NonBreakingSpace:a0 nbsp:a0 iexcl:a1 cent:a2 pound:a3 curren:a4
yen:a5 brvbar:a6 sect:a7 uml:a8 COPY:a9 copy:a9 ordf:aa laquo:ab not:ac shy:ad REG:ae reg:ae macr:af
deg:b0 plusmn:b1 pm:b1 sup2:b2 sup3:b3 acute:b4 micro:b5 para:b6 centerdot:b7 middot:b7 cedil:b8 sup1:b9
ordm:ba raquo:bb frac14:bc frac12:bd half:bd frac34:be iquest:bf Agrave:c0 Aacute:c1 Acirc:c2 Atilde:c3
Auml:c4 Aring:c5 angst:c5 AElig:c6 Ccedil:c7 Egrave:c8 Eacute:c9 Ecirc:ca Euml:cb Igrave:cc Iacute:cd
Icirc:ce Iuml:cf ETH:d0 Ntilde:d1 Ograve:d2 Oacute:d3 Ocirc:d4 Otilde:d5 Ouml:d6 times:d7 Oslash:d8
Ugrave:d9 Uacute:da Ucirc:db Uuml:dc Yacute:dd THORN:de szlig:df agrave:e0 aacute:e1 acirc:e2 atilde:e3
auml:e4 aring:e5 aelig:e6 ccedil:e7 egrave:e8 eacute:e9 ecirc:ea euml:eb igrave:ec iacute:ed icirc:ee
iuml:ef eth:f0 ntilde:f1 ograve:f2 oacute:f3 ocirc:f4 otilde:f5 ouml:f6 div:f7 divide:f7 oslash:f8
ugrave:f9 uacute:fa ucirc:fb uuml:fc yacute:fd thorn:fe yuml:ff Amacr:100 amacr:101 Abreve:102 abreve:103
Aogon:104 aogon:105 Cacute:106 cacute:107 Ccirc:108 ccirc:109 Cdot:10a cdot:10b Ccaron:10c ccaron:10d
Dcaron:10e dcaron:10f Dstrok:110 dstrok:111 Emacr:112 emacr:113 Edot:116 edot:117 Eogon:118 eogon:119
Ecaron:11a ecaron:11b Gcirc:11c gcirc:11d Gbreve:11e gbreve:11f Gdot:120 gdot:121 Gcedil:122 Hcirc:124
hcirc:125 Hstrok:126 hstrok:127 Itilde:128 itilde:129 Imacr:12a imacr:12b Iogon:12e iogon:12f Idot:130
imath:131 inodot:131 IJlig:132 ijlig:133 Jcirc:134 jcirc:135 Kcedil:136 kcedil:137 kgreen:138 Lacute:139
lacute:13a Lcedil:13b lcedil:13c Lcaron:13d lcaron:13e Lmidot:13f lmidot:140 Lstrok:141 lstrok:142
Nacute:143 nacute:144 Ncedil:145 ncedil:146 Ncaron:147 ncaron:148 napos:149 ENG:14a eng:14b Omacr:14c
omacr:14d Odblac:150 odblac:151 OElig:152 oelig:153 Racute:154 racute:155 Rcedil:156 rcedil:157
Rcaron:158 rcaron:159 Sacute:15a sacute:15b Scirc:15c scirc:15d Scedil:15e scedil:15f Scaron:160
scaron:161 Tcedil:162 tcedil:163 Tcaron:164 tcaron:165 Tstrok:166 tstrok:167 Utilde:168 utilde:169
Umacr:16a umacr:16b Ubreve:16c ubreve:16d Uring:16e uring:16f Udblac:170 udblac:171 Uogon:172 uogon:173
Wcirc:174 wcirc:175 Ycirc:176 ycirc:177 Yuml:178 Zacute:179 zacute:17a Zdot:17b zdot:17c Zcaron:17d
zcaron:17e fnof:192 circ:2c6 tilde:2dc Alpha:391 Beta:392 Gamma:393 Delta:394 Epsilon:395 Zeta:396
Eta:397 Theta:398 Iota:399 Kappa:39a Lambda:39b Mu:39c Nu:39d Xi:39e Omicron:39f Pi:3a0 Rho:3a1 Sigma:3a3
Tau:3a4 Upsilon:3a5 Phi:3a6 Chi:3a7 Psi:3a8 Omega:3a9 ohm:3a9 alpha:3b1 beta:3b2 gamma:3b3 delta:3b4
epsilon:3b5 zeta:3b6 eta:3b7 theta:3b8 iota:3b9 kappa:3ba lambda:3bb mu:3bc nu:3bd xi:3be omicron:3bf
pi:3c0 rho:3c1 sigmaf:3c2 sigma:3c3 tau:3c4 upsilon:3c5 phi:3c6 chi:3c7 psi:3c8 omega:3c9 thetasym:3d1
thetav:3d1 vartheta:3d1 upsih:3d2 phiv:3d5 varphi:3d5 piv:3d6 varepsilon:3f5 ensp:2002 emsp:2003
emsp13:2004 emsp14:2005 numsp:2007 puncsp:2008 thinsp:2009 hairsp:200a ZeroWidthSpace:200b zwnj:200c
zwj:200d lrm:200e rlm:200f dash:2010 hyphen:2010 ndash:2013 mdash:2014 horbar:2015 lsquo:2018 rsquo:2019
sbquo:201a ldquo:201c rdquo:201d bdquo:201e dagger:2020 Dagger:2021 bull:2022 bullet:2022 nldr:2025
hellip:2026 mldr:2026 permil:2030 prime:2032 Prime:2033 lsaquo:2039 rsaquo:203a oline:203e caret:2041
frasl:2044 MediumSpace:205f NoBreak:2060 euro:20ac incare:2105 hbar:210f image:2111 ell:2113 numero:2116
copysr:2117 weierp:2118 real:211c TRADE:2122 trade:2122 mho:2127 alefsym:2135 frac13:2153 frac23:2154
frac15:2155 frac25:2156 frac35:2157 frac45:2158 frac16:2159 frac56:215a frac18:215b frac38:215c
frac58:215d frac78:215e larr:2190 leftarrow:2190 uarr:2191 uparrow:2191 rarr:2192 rightarrow:2192
darr:2193 downarrow:2193 harr:2194 leftrightarrow:2194 map:21a6 mapsto:21a6 crarr:21b5 lharu:21bc
rharu:21c0 Leftarrow:21d0 lArr:21d0 uArr:21d1 Rightarrow:21d2 rArr:21d2 dArr:21d3 hArr:21d4 iff:21d4
forall:2200 part:2202 exist:2203 nexists:2204 empty:2205 emptyset:2205 varnothing:2205 nabla:2207 in:2208
isin:2208 notin:2209 ni:220b prod:220f sum:2211 minus:2212 mp:2213 setminus:2216 lowast:2217 radic:221a
prop:221d propto:221d infin:221e ang:2220 and:2227 wedge:2227 or:2228 vee:2228 cap:2229 cup:222a int:222b
oint:222e there4:2234 sim:223c simeq:2243 cong:2245 approx:2248 asymp:2248 ne:2260 equiv:2261 le:2264
leq:2264 ge:2265 geq:2265 ll:226a gg:226b nleq:2270 ngeq:2271 sub:2282 subset:2282 sup:2283 supset:2283
nsub:2284 sube:2286 subseteq:2286 supe:2287 supseteq:2287 oplus:2295 otimes:2297 perp:22a5 sdot:22c5
lceil:2308 rceil:2309 lfloor:230a rfloor:230b lang:2329 rang:232a squ:25a1 square:25a1 blacksquare:25aa
loz:25ca bigstar:2605 starf:2605 star:2606 phone:260e spades:2660 clubs:2663 hearts:2665 diams:2666
check:2713 checkmark:2713 cross:2717 langle:27e8 rangle:27e9
`
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [name = "", code = ""] = entry.split(":");
      return [name, String.fromCodePoint(Number.parseInt(code, 16))] as const;
    }),
);
