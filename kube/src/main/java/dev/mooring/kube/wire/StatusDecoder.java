package dev.mooring.kube.wire;

import dev.mooring.kube.wire.BodyDecoder.Status;
import dev.mooring.kube.wire.WireReader.Fields;
import java.io.IOException;

final class StatusDecoder {
  private static final class StatusFields {
    static final int MESSAGE = 3;
    static final int REASON = 4;
    static final int DETAILS = 5;
    static final int CODE = 6;
    static final Fields ALL =
        Fields.of(MESSAGE, "message")
            .and(REASON, "reason")
            .and(DETAILS, "details")
            .and(CODE, "code");
  }

  private static final class StatusDetails {
    static final int CAUSES = 4;
    static final int RETRY_AFTER_SECONDS = 5;
    static final Fields ALL =
        Fields.of(CAUSES, "causes").and(RETRY_AFTER_SECONDS, "retryAfterSeconds");
  }

  private static final class StatusCause {
    static final int FIELD = 3;
    static final Fields ALL = Fields.of(FIELD, "field");
  }

  private StatusDecoder() {}

  static Status decode(WireReader in) throws IOException {
    int code = 0;
    String reason = "";
    String message = "";
    int retrySeconds = 0;
    String firstField = "";
    for (int field = in.next(StatusFields.ALL); field != 0; field = in.next(StatusFields.ALL)) {
      switch (field) {
        case StatusFields.MESSAGE -> message = in.readText();
        case StatusFields.REASON -> reason = in.readText();
        case StatusFields.DETAILS -> {
          for (int f = in.open(StatusDetails.ALL); f != 0; f = in.next(StatusDetails.ALL)) {
            switch (f) {
              case StatusDetails.CAUSES -> firstField = readCause(in, firstField);
              case StatusDetails.RETRY_AFTER_SECONDS -> retrySeconds = (int) in.readNumber();
              default -> in.skip();
            }
          }
        }
        case StatusFields.CODE -> code = (int) in.readNumber();
        default -> in.skip();
      }
    }
    return new Status(code, reason, message, retrySeconds, firstField);
  }

  private static String readCause(WireReader in, String previousField) throws IOException {
    String field = in.readSingleField(StatusCause.ALL, StatusCause.FIELD);
    return previousField.isEmpty() ? field : previousField;
  }
}
