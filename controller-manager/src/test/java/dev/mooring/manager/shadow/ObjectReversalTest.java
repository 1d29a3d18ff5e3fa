package dev.mooring.manager.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.manager.shadow.pairing.ObjectFacts;
import dev.mooring.manager.shadow.pairing.ObservedChange;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.testkit.TestObjects;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectReversalTest {
  private static final ObjectKey KEY = ObjectKey.cluster("v");

  @ParameterizedTest
  @CsvSource({
    "ns, c, u",
    "ns, c, ''",
    "ns, '', u",
    "ns, '', ''",
    "'', c, u",
    "'', c, ''",
    "'', '', u",
    "'', '', ''"
  })
  void reversal_claimRefLacksFields_isTheFormerOne(String namespace, String name, String uid) {
    Volume volume =
        TestObjects.volume("v")
            .claimRef(new ClaimRef(ObjectKey.of(namespace, name), Uid.of(uid)))
            .build();
    JsonObject tree =
        JsonParser.parseString(
                "{\"spec\": {\"claimRef\": {\"namespace\": \"x\", \"name\": \"y\", \"uid\": \"z\"}}}")
            .getAsJsonObject();

    new ObjectReversal(tree)
        .revert(
            new ObservedChange(
                Kind.VOLUME.kind(), KEY, 1, ObjectFacts.of(volume), Map.of(), Set.of(), false));

    JsonObject claimRef = tree.getAsJsonObject("spec").getAsJsonObject("claimRef");
    assertThat(textAt(claimRef, "namespace")).isEqualTo(namespace);
    assertThat(textAt(claimRef, "name")).isEqualTo(name);
    assertThat(textAt(claimRef, "uid")).isEqualTo(uid);
  }

  private static String textAt(JsonObject members, String name) {
    return members.has(name) ? members.get(name).getAsString() : "";
  }
}
