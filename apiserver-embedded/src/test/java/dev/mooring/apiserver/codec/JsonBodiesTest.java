package dev.mooring.apiserver.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonBodiesTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "member | {'spec':{'volumeName':5}} | PersistentVolumeClaimSpec.spec.volumeName of type string",
        "element of a list | {'spec':{'accessModes':['a',5]}} | PersistentVolumeClaimSpec.spec.accessModes of type string",
        "value of a map | {'metadata':{'labels':{'a':5}}} | ObjectMeta.metadata.labels of type string",
        "member in a list | {'metadata':{'ownerReferences':[{'name':5}]}} | OwnerReference.metadata.ownerReferences[0].name of type string",
      })
  void conform_valueOfAnotherType_namesMemberAndType(String ignored, String body, String message) {
    assertThatThrownBy(() -> conform(body, new ArrayList<>()))
        .isInstanceOf(BadBodyException.class)
        .hasMessage("json: cannot unmarshal number into Go struct field " + message);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "object | {'extra':1} | extra",
        "member | {'spec':{'extra':1}} | spec.extra",
        "member in a list | {'metadata':{'ownerReferences':[{},{'extra':1}]}} | metadata.ownerReferences[1].extra",
      })
  void conform_unknownField_isReportedWithPath(String ignored, String body, String path)
      throws BadBodyException {
    List<String> fieldErrors = new ArrayList<>();

    conform(body, fieldErrors);

    assertThat(fieldErrors).containsExactly("unknown field \"" + path + "\"");
  }

  private static void conform(String body, List<String> fieldErrors) throws BadBodyException {
    JsonObject tree = JsonParser.parseString(body.replace('\'', '"')).getAsJsonObject();
    JsonBodies.conform(tree, Schema.getMessage("PersistentVolumeClaim"), fieldErrors);
  }
}
