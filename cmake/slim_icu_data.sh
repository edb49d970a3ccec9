#!/bin/sh
# slim_icu_data.sh libicudata.a CONVERTERS.txt OUT.o
# ICU's data is 30 MB; the reader needs its converters alone. Takes the package out of the static library, keeps the listed
# items, and makes an object with ICU's own symbol, which the linker then takes instead of the library's.
set -eu
library=$1 converters=$2 out=$3
PATH=$PATH:/usr/sbin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
member=$(ar t "$library" | grep '_dat\.o$')
package=${member%_dat.o}                       # icudt72l
symbol=$(nm "$(ar x "$library" "$member" && echo "$member")" | sed -n 's/.* R //p')  # icudt72_dat
objcopy -O binary --only-section=.rodata "$member" "$package.dat"
mkdir items
icupkg -d items -x "$converters" "$package.dat"
mkdir slim
icupkg -s items -a "$converters" new "slim/$package.dat"
cat > data.S <<ASM
  .section .rodata
  .balign 16
  .globl $symbol
  .type $symbol, STT_OBJECT
$symbol:
  .incbin "$work/slim/$package.dat"
  .section .note.GNU-stack,"",%progbits
ASM
sed -i 's/STT_OBJECT/%object/' data.S
${CC:-cc} -c data.S -o "$out"
