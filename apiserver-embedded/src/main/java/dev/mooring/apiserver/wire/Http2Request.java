package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.Headers;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2StreamFrame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A stream of an HTTP/2 connection: one request and its answer. */
final class Http2Request extends Serving<Http2StreamFrame> {
  private final WireListener server;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private @Nullable Http2Headers head;

  Http2Request(WireListener server, Channel stream) {
    super(stream);
    this.server = server;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, Http2StreamFrame frame) {
    boolean whole = false;
    if (frame instanceof Http2HeadersFrame headers) {
      head = head == null ? headers.headers() : head; // what follows a body says nothing to us
      whole = headers.isEndStream();
    } else if (frame instanceof Http2DataFrame data) {
      if (body.size() <= WireListener.MOST_BODY) { // more is refused for being more
        body.writeBytes(ByteBufUtil.getBytes(data.content()));
      }
      whole = data.isEndStream();
    }
    Http2Headers asked = head;
    if (!whole || asked == null) {
      return;
    }
    URI target = asked.path() == null ? null : Channels.target(asked.path());
    if (target == null) {
      Http2Headers bad = new DefaultHttp2Headers().status("400");
      context.writeAndFlush(new DefaultHttp2HeadersFrame(bad, true));
      return;
    }
    server.serve(context.channel().parent(), request(asked, target), new Answer(context.channel()));
  }

  private WireExchange.Request request(Http2Headers asked, URI target) {
    Headers headers = new Headers();
    for (Map.Entry<CharSequence, CharSequence> each : asked) {
      if (each.getKey().charAt(0) != ':') {
        headers.add(each.getKey().toString(), each.getValue().toString());
      }
    }
    return new WireExchange.Request(
        asked.method().toString(), target, "HTTP/2.0", headers, body.toByteArray());
  }

  private final class Answer implements Answering {
    private final Channel stream;

    Answer(Channel stream) {
      this.stream = stream;
    }

    @Override
    public void head(int code, Headers headers, long length) {
      Http2Headers sent = new DefaultHttp2Headers().status(Integer.toString(code));
      headers.forEach((name, values) -> sent.add(name.toLowerCase(Locale.ROOT), values));
      if (length > 0) {
        sent.addLong("content-length", length);
      }
      stream
          .writeAndFlush(new DefaultHttp2HeadersFrame(sent, length < 0))
          .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    @Override
    public void mustBeOpen() throws IOException {
      Http2Request.this.mustBeOpen();
    }

    @Override
    public void piece(byte[] bytes, int from, int length) throws IOException {
      awaitRoom();
      byte[] own = Arrays.copyOfRange(bytes, from, from + length);
      stream.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(own)));
    }

    @Override
    public void end() {
      stream.writeAndFlush(new DefaultHttp2DataFrame(true));
    }

    @Override
    public void cut() {
      stream.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
    }
  }
}
