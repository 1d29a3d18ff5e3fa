package dev.mooring.manager.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineWriterTest {
  private static final String HOSTILE =
      "\"\\/\n\r\t\b\f\u0000\u001f\u007f\u0080\u00e9\u2028\u2029\u20ac\ud83d\ude00\ud83d \ude00<>&'{}[],:";

  private static AuditLine line(String text, double ms) {
    return new AuditLine(
        "2026-11-23T13:00:00.123456Z",
        text,
        text,
        text,
        text,
        text,
        text,
        text,
        text,
        text,
        List.of(text, "", text),
        7,
        Long.MAX_VALUE,
        text,
        text,
        ms);
  }

  @Test
  void add_anyText_roundTripsOnOneLine() {
    Random random = new Random(20);
    LineWriter writer = new LineWriter();
    for (int i = 0; i < 2000; i++) {
      StringBuilder text = new StringBuilder("x");
      int length = random.nextInt(200);
      for (int index = 0; index < length; index++) {
        text.append(
            random.nextBoolean()
                ? HOSTILE.charAt(random.nextInt(HOSTILE.length()))
                : (char) random.nextInt(Character.MAX_VALUE + 1));
      }
      AuditLine line = line(text.toString(), random.nextInt(1 << 20) / 1000.0);
      writer.clear();
      writer.add(line);
      assertThat(writer.toString().lines()).hasSize(1);
      assertThat(AuditFields.read(writer.toString())).contains(line);
      assertThat(writer.toString()).isEqualTo(line.json() + "\n");
    }
  }

  @Test
  void json_emptyMembers_areOmittedAndVersionsAreStrings() {
    AuditLine line =
        new AuditLine("t", "", "", "", "", "", "", "", "", "", List.of(), 0, 12, "", "", 0.5);
    assertThat(line.json()).isEqualTo("{\"time\":\"t\",\"to\":\"12\",\"ms\":0.5}");
    JsonObject object = JsonParser.parseString(line.json()).getAsJsonObject();
    assertThat(object.keySet()).containsExactly("time", "to", "ms");
  }

  @Test
  void cutTo_sizeAfterFirstLine_removesSecondLine() {
    LineWriter writer = new LineWriter();
    AuditLine line = line("a", 1);
    writer.add(line);
    int sizeOfFirst = writer.size();
    writer.add(line("b", 2));
    writer.cutTo(sizeOfFirst);
    writer.add(line("c", 3));
    assertThat(writer.toString().lines()).containsExactly(line.json(), line("c", 3).json());
  }
}
