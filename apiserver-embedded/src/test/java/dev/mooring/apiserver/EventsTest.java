package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventsTest {
  private static final String OLD = "/api/v1/namespaces/default/events";
  private static final String NEW = "/apis/events.k8s.io/v1/namespaces/default/events";
  private static final String EVENT =
      """
      {'metadata':{'name':'e'},'eventTime':'2024-01-01T00:00:00.000001Z','reportingController':'mooring.dev/x',
       'reportingInstance':'i','action':'Resize','reason':'R','note':'n','type':'Normal','regarding':{'namespace':'default'}}\
      """;

  private final ApiServer server = NamespacesTest.start();
  private final Client client = new Client(server, "tok");

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void reportingController_notAQualifiedName_isRefused() throws Exception {
    String spaced = EVENT.replace("mooring.dev/x", "external-resizer driver.example.com");

    assertThat(client.post(NEW, spaced).code()).isEqualTo(422);
    assertThat(client.post(NEW, spaced).causes())
        .containsExactly("FieldValueInvalid reportingController");
    assertThat(client.post(OLD, old(spaced)).causes())
        .containsExactly("FieldValueInvalid reportingComponent");
    assertThat(client.post(NEW, EVENT).code()).isEqualTo(201);
  }

  private static String old(String event) {
    return event
        .replace("reportingController", "reportingComponent")
        .replace("regarding", "involvedObject")
        .replace("'note'", "'message'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "'action':'Resize'         | 'action':''            | FieldValueRequired action",
        "'reason':'R'              | 'reason':''            | FieldValueRequired reason",
        "'reportingInstance':'i'   | 'reportingInstance':'' | FieldValueRequired reportingInstance",
        "'type':'Normal'           | 'type':'Loud'          | FieldValueInvalid type",
        "'type':'Normal'           | 'type':'Normal','deprecatedCount':1 | FieldValueInvalid count",
        "'type':'Normal'           | 'type':'Normal','deprecatedSource':{'component':'c'} | FieldValueInvalid source",
        "'type':'Normal'           | 'type':'Normal','series':{'count':1,'lastObservedTime':'2024-01-01T00:00:00.000001Z'} | FieldValueInvalid series.count",
        "'eventTime':'2024-01-01T00:00:00.000001Z', | '' | FieldValueRequired eventTime"
      })
  void newGroup_invalidField_isRefused(String valid, String invalid, String expectedCause)
      throws Exception {
    String event = EVENT.replace(valid, invalid.equals("''") ? "" : invalid);

    assertThat(client.post(NEW, event).causes()).containsExactly(expectedCause);
  }

  @Test
  void longNote_bothGroups_isRefused() throws Exception {
    String long1025 = EVENT.replace("'note':'n'", "'note':'" + "n".repeat(1025) + "'");

    assertThat(client.post(NEW, long1025).causes()).containsExactly("FieldValueInvalid message");
    assertThat(client.post(OLD, old(long1025)).causes())
        .containsExactly("FieldValueInvalid message");
  }

  @Test
  void update_newGroup_onlySeriesMayChange() throws Exception {
    client.post(NEW, EVENT);

    assertThat(client.merge(NEW + "/e", "{'note':'other'}").causes())
        .containsExactly("FieldValueInvalid message");
    assertThat(
            client
                .merge(
                    NEW + "/e",
                    "{'series':{'count':2,'lastObservedTime':'2024-01-01T00:00:00.000002Z'}}")
                .code())
        .isEqualTo(200);
    assertThat(client.merge(OLD + "/e", "{'message':'other'}").code()).isEqualTo(200);
    assertThat(client.delete(NEW + "/e").at("status")).isEqualTo("Success");
  }
}
