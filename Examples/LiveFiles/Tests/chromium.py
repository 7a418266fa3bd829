# SPDX-License-Identifier: MIT
"""Headless Chromium over the DevTools protocol."""
import base64, http.client, json, os, socket, struct, subprocess, time, urllib.parse

class Chromium:
    def __init__(self, folder):
        self.process = subprocess.Popen(
            ['chromium', '--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', '--window-size=1100,760',
             '--hide-scrollbars', f'--user-data-dir={folder}', 'about:blank'], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if 'DevTools listening' in line: break
        else: raise SystemExit('Chromium does not start.')
        self.port = int(urllib.parse.urlparse(line.split()[-1]).port)
    def request(self, method, path):
        client = http.client.HTTPConnection('127.0.0.1', self.port)
        client.request(method, '/json/' + path)
        return json.load(client.getresponse())
    def opened(self, by):
        """The window that something opens."""
        former = {target['id'] for target in self.request('GET', 'list')}
        by()
        for _ in range(500):
            for target in self.request('GET', 'list'):
                if target['id'] not in former and target['type'] == 'page' and target['url'].startswith('http'): return Tab(self, target=target)
            time.sleep(.02)
        raise AssertionError('no window')
    def close(self):
        self.process.terminate()
        self.process.communicate()

class Tab:
    """One window, over a WebSocket of its own."""
    def __init__(self, browser, url=None, scripts=True, target=None):
        path = urllib.parse.urlparse((target or browser.request('PUT', 'new?about:blank'))['webSocketDebuggerUrl']).path
        self.socket = socket.create_connection(('127.0.0.1', browser.port), timeout=30)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f'GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
                             f'Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n').encode())
        self.reader = self.socket.makefile('rb')
        while self.reader.readline().strip(): pass
        self.number, self.problems = 0, []
        for domain in ('Page', 'Runtime', 'Log', 'Network'): self.call(domain + '.enable')
        if not scripts: self.call('Emulation.setScriptExecutionDisabled', value=True)
        if url: self.open(url)
    def post(self, method, **parameters):
        self.number += 1
        data = json.dumps({'id': self.number, 'method': method, 'params': parameters}).encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xfe]) + struct.pack('>H', len(data)) if len(data) < 65_536 else bytes([0xff]) + struct.pack('>Q', len(data))
        self.socket.sendall(bytes([0x81]) + size + bytes(4) + data)
        return self.number
    def call(self, method, **parameters):
        number, end = self.post(method, **parameters), time.monotonic() + 60
        while True:
            assert time.monotonic() < end, f'{method} has no answer'
            answer = json.loads(self.message())
            if answer.get('method') == 'Runtime.exceptionThrown': self.problems.append(answer['params'])
            if answer.get('method') == 'Page.javascriptDialogOpening': self.post('Page.handleJavaScriptDialog', accept=True)
            if answer.get('id') == number:
                assert 'error' not in answer, answer
                return answer['result']
    def message(self):
        text = b''
        while True:
            first, length = self.reader.read(2)
            if length == 126: length = struct.unpack('>H', self.reader.read(2))[0]
            elif length == 127: length = struct.unpack('>Q', self.reader.read(8))[0]
            text += self.reader.read(length)
            if first & 0x80: return text
    def run(self, script):
        result = self.call('Runtime.evaluate', expression=script, awaitPromise=True, returnByValue=True)
        assert 'exceptionDetails' not in result, result
        return result['result'].get('value')
    def open(self, url): self.call('Page.navigate', url=url)
    def until(self, condition, seconds=10):
        """True as soon as the condition is; an error with the page's text after the time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            # A page that is replaced meanwhile has no answer, and one without scripts no timers.
            answer = self.call('Runtime.evaluate', returnByValue=True, expression=f"document.readyState === 'complete' && !!({condition})")
            if answer['result'].get('value') is True: return True
            time.sleep(.02)
        raise AssertionError(f"{condition}: {self.run('document.body.innerText.slice(-600) + (sessionStorage.kept ?? String()).slice(0, 600)')}")
    def close(self):
        self.call('Page.close')
        self.socket.close()
    def key(self, key, code):
        for kind in ('keyDown', 'keyUp'):
            self.call('Input.dispatchKeyEvent', type=kind, key=key, code=key, windowsVirtualKeyCode=code, text='\r' if key == 'Enter' else '')
    def type(self, text): self.call('Input.insertText', text=text)
    def click(self, element, modifiers=0, meanwhile=lambda: None):
        self.call('Page.bringToFront')
        x, y = self.run(f"(e => {{ e.scrollIntoView({{ block: 'center' }}); const r = e.getBoundingClientRect(); return [r.x + Math.min(20, r.width / 2), r.y + r.height / 2] }})({element})")
        for kind in ('mousePressed', 'mouseReleased'):
            if kind == 'mouseReleased': meanwhile()
            self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, button='left', clickCount=1, modifiers=modifiers)
    def size(self, width, height=760):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        # A click before the page is laid out anew would go to another place.
        self.until(f'innerWidth == {width}')
        self.drawn()
    def drawn(self):
        """Drawn twice, the page is laid out anew, and what is drawn by a script has followed."""
        self.call('Runtime.evaluate', awaitPromise=True, expression='new Promise(f => requestAnimationFrame(() => requestAnimationFrame(f)))')
    def offline(self, is_offline):
        self.call('Network.emulateNetworkConditions', offline=is_offline, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    def picture(self, folder, name, by_script=False):
        """by_script: what is displayed is drawn by a script, which follows the colours a frame later."""
        self.call('Page.bringToFront')
        for scheme in ('light', 'dark'):
            self.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': scheme}])
            if by_script: self.drawn()
            (folder / f'{name}-{scheme}.png').write_bytes(base64.b64decode(self.call('Page.captureScreenshot')['data']))
