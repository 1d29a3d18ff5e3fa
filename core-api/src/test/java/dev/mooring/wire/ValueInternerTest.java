package dev.mooring.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Quantity;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ValueInternerTest {
  private static String copyText(String text) {
    return new StringBuilder(text).toString();
  }

  @Test
  void intern_equalTexts_returnsSameInstance() {
    ValueInterner<String> strings = new ValueInterner<>(16, text -> text);
    String first = strings.intern(copyText("node-1"));
    assertThat(strings.intern(copyText("node-1"))).isSameAs(first);
    assertThat(strings.intern(copyText("node-2"))).isEqualTo("node-2");
  }

  @Test
  void intern_thousandsOfTexts_sharesMost() {
    ValueInterner<String> strings = new ValueInterner<>(1 << 14, text -> text);
    Map<String, Boolean> different = new IdentityHashMap<>();
    for (int i = 0; i < 40_000; i++) {
      different.put(strings.intern(copyText("node-" + i % 2000)), true);
    }
    assertThat(different).hasSizeLessThan(3000);
  }

  @Test
  void intern_moreTextsThanCapacity_returnsEqualValues() {
    ValueInterner<String> strings = new ValueInterner<>(4, text -> text);
    for (int i = 0; i < 100; i++) {
      assertThat(strings.intern("s" + i)).isEqualTo("s" + i);
    }
  }

  @Test
  void intern_equalTexts_parsesOnceAndKeepsText() {
    AtomicInteger parseCount = new AtomicInteger();
    ValueInterner<Quantity> sizes =
        new ValueInterner<>(
            16,
            text -> {
              parseCount.incrementAndGet();
              return Quantity.of(text);
            });
    Quantity first = sizes.intern(copyText("1Gi"));
    assertThat(sizes.intern(copyText("1Gi"))).isSameAs(first);
    assertThat(parseCount).hasValue(1);
    assertThat(sizes.intern("1024Mi")).hasToString("1024Mi").isEqualTo(first);
  }
}
