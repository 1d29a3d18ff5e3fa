package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.Headers;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.Map;

/** A connection that speaks HTTP/1.1: one request after the other. */
final class Http1Requests extends Serving<FullHttpRequest> {
  private final TlsServer server;

  Http1Requests(TlsServer server, Channel connection) {
    super(connection);
    this.server = server;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest asked) {
    URI target = asked.decoderResult().isFailure() ? null : Channels.target(asked.uri());
    if (target == null) {
      HttpResponse bad =
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST);
      HttpUtil.setContentLength(bad, 0);
      HttpUtil.setKeepAlive(bad, false); // where the next one begins nobody knows
      context.writeAndFlush(bad).addListener(ChannelFutureListener.CLOSE);
      return;
    }
    context.channel().config().setAutoRead(false); // the next has its turn when this was answered
    Headers headers = new Headers();
    for (Map.Entry<String, String> each : asked.headers()) {
      headers.add(each.getKey(), each.getValue());
    }
    server.serve(
        context.channel(),
        new TlsExchange.Request(
            asked.method().name(),
            target,
            "HTTP/1.1",
            headers,
            ByteBufUtil.getBytes(asked.content())),
        new Answer(context.channel(), HttpUtil.isKeepAlive(asked)));
  }

  private final class Answer implements Answering {
    private final Channel connection;
    private final boolean staysOpen;

    Answer(Channel connection, boolean staysOpen) {
      this.connection = connection;
      this.staysOpen = staysOpen;
    }

    @Override
    public void head(int code, Headers headers, long length) {
      HttpResponse sent =
          new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(code));
      headers.forEach((name, values) -> sent.headers().add(name, values));
      if (length == 0) {
        HttpUtil.setTransferEncodingChunked(sent, true);
      } else {
        sent.headers().set(HttpHeaderNames.CONTENT_LENGTH, Math.max(0, length));
      }
      HttpUtil.setKeepAlive(sent, staysOpen);
      connection.writeAndFlush(sent).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
      if (length < 0) {
        end();
      }
    }

    @Override
    public void piece(byte[] bytes, int from, int length) throws IOException {
      awaitRoom();
      byte[] own = Arrays.copyOfRange(bytes, from, from + length);
      connection.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(own)));
    }

    @Override
    public void mustBeOpen() throws IOException {
      Http1Requests.this.mustBeOpen();
    }

    @Override
    public void end() {
      ChannelFuture sent = connection.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
      if (staysOpen) {
        sent.addListener(done -> connection.config().setAutoRead(true));
      } else {
        sent.addListener(ChannelFutureListener.CLOSE);
      }
    }

    @Override
    public void cut() {
      connection.close();
    }
  }
}
