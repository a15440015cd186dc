package canon

import (
	"strings"
	"sync"
)

// keywords are the names of secrets by their first word.
var keywords = sync.OnceValue(func() map[string][]keyword {
	byFirst := map[string][]keyword{}
	for _, list := range []struct {
		trust  trust
		reason Reason
		names  string
	}{
		{loose, Password, passwordNames}, {strict, Password, pinNames},
		{strict, Key, secretNames}, {strict, Code, codeNames}, {bare, Code, bareCodes},
		{short, Password, shortNames}, {dialled, Code, dialNames}, {dialled, ID, numberNames},
		{drawn, Password, keyNames}, {drawn, ID, passNames}, {pair, Password, loginNames},
	} {
		for name := range strings.SplitSeq(list.names, ",") {
			words := strings.Fields(Form(name))
			byFirst[words[0]] = append(byFirst[words[0]], keyword{words, list.trust, list.reason})
		}
	}
	return byFirst
})

const (
	passwordNames = "password,passwords,passcode,passphrase,passwd,pwd,pw,pass word,p@ssword,p@$$word,wifi key,passwort,kennwort,pass wort,passphrase,contraseña,contrasena,mot de passe,mdp,parola d'ordine,senha,palavra-passe,wachtwoord,lösenord,adgangskode,passord,пароль,hasło,heslo,şifre,şifrem,jelszó,salasana,parolă,κωδικός,كلمة المرور,كلمة السر,סיסמה,mi clave,tu clave,su clave,nuestra clave,clave secreta,clave del wifi,clave wifi,clave de acceso,clave bancaria"
	pinNames      = "pin,pins,pincode,pin number,geheimzahl,geheimnummer,pin nummer,pin-код,пин,пин-код,código pin,code pin,clave,code secret"
	secretNames   = "api key,apikey,api token,access key,access token,secret key,secret access key,private key,auth token,refresh token,client secret,bot token,recovery key,backup code,backup codes,recovery code,recovery codes,clave privada,clave api,clé api,clé privée,api schlüssel,geheimer schlüssel,privater schlüssel,2fa secret,2fa key,2fa seed,totp,totp secret,totp key,otp secret,authenticator secret,authenticator key,2fa schlüssel,2fa geheimnis,secreto 2fa,clave 2fa,secret 2fa,clé 2fa"
	codeNames     = "verification code,security code,login code,one-time code,one time password,one-time passcode,otp,2fa code,authentication code,confirmation code,access code,entry code,door code,gate code,alarm code,lock code,safe code,sms code,tan,einmalcode,einmalpasswort,bestätigungscode,sicherheitscode,anmeldecode,zugangscode,türcode,verifizierungscode,código de verificación,código de seguridad,código de acceso,código de confirmación,code de vérification,code de sécurité,code d'accès,code de confirmation,code de validation,codice di verifica,codice di sicurezza,código de verificação,код подтверждения,код доступа,verificatiecode,kod weryfikacyjny,jednorázový kód,ověřovací kód,přihlašovací kód,bezpečnostní kód"
	shortNames    = "cvv,cvc,cvv2,cvc2,csc,card security code,kartenprüfnummer,prüfziffer,cryptogramme"
	dialNames     = "combination,lock combination,safe combination,zahlenkombination,kombination,combinación,combinaison"
	numberNames   = "ssn,my social,my social security,social security number,social security no,sozialversicherungsnummer,número de seguridad social,número de la seguridad social,numéro de sécurité sociale,passport number,passport no,passport nr,reisepassnummer,passnummer,número de pasaporte,número del pasaporte,numéro de passeport"
	keyNames      = "key,schlüssel,llave,clé"
	passNames     = "passport,reisepass,pasaporte,passeport"
	loginNames    = "login,logins,log-in,credentials,zugangsdaten,anmeldedaten,credenciales,identifiants,identifiant,账号,帐号,賬號,账户"
	bareCodes     = "code,codes,código,codigo,codice,код,kod,kód,kode"
)

// harmlessCodes stand beside codes that are public.
var harmlessCodes = sync.OnceValue(func() map[string]bool {
	return set(`postal post zip area country dial dialling dialing error status exit http return response promo promotional discount coupon voucher referral order booking reservation product item bar qr source tax color colour dress morse airport iata hs hex building penal civil course class flight train error module version penal
postale postaux barres pays promotion réduction civil área barras descuento país fuente postali sconto nav почтовый товара`)
})

// things are what has its name of a password and is none, or of a key.
var things = sync.OnceValue(func() map[string]bool {
	return set(`manager managers generator generators policy policies reset resets prompt protection protected vault app strength hash hashes hashing length rotation
verwaltung generator tresor gestor administrador gestionnaire`)
})

// copulas are forms of "to be" and what else stands between a name and a value.
var copulas = sync.OnceValue(func() map[string]bool {
	return set("is was are be ist war sind lautet lauten es son era est sont était è é sono är var er jest je это equals remains stays")
})

// movers stand between the name of a secret and its new value.
var movers = sync.OnceValue(func() map[string]bool { return set("to s auf zu a en à als na now jetzt ahora") })

// continuations are words with which a clause goes on after a value.
var continuations = sync.OnceValue(func() map[string]bool {
	return set("for and but please on at from since thanks ok okay btw für und aber bitte seit bei para y pero por desde pour et mais sur depuis per e para для и на")
})

// remarks are what is said about passwords.
var remarks = sync.OnceValue(func() map[string]bool {
	return set(`wrong incorrect correct right weak strong safe unsafe secure insecure long short old new outdated easy hard difficult simple complex complicated secret private different identical unique same case-sensitive sensitive optional mandatory bad good great fine ok okay okey enough important necessary missing empty blank gone lost unknown known written hidden forgotten stolen broken given taken kept stored leaked hashed public here there inside somewhere everywhere nowhere always never still almost probably see ask tbd todo none null n/a case well self-explanatory awful terrible stupid funny silly ridiculous annoying mine yours everything nothing something anything everyone due back ready useless invalid valid again year month week time place luck idea ideas phrase phrases sentence sentences twice somehow today anyway already characters letters digits words days months years e-mail log-in sign-in set-up
falsch richtig schwach stark sicher unsicher lang kurz alt neu einfach schwer schwierig kompliziert geheim anders gleich pflicht weg verloren unbekannt bekannt abgelaufen vergessen geändert gespeichert notiert gestohlen gültig ungültig wieder heute zeichen buchstaben wichtig leer nötig erforderlich gut schlecht überall nirgends hier dort immer nie
incorrecta incorrecto correcta correcto mala débil fuerte segura seguro insegura larga corta vieja nueva fácil difícil simple complicada secreta diferente igual misma única obligatoria opcional caducada olvidada perdida importante necesaria aquí allí siempre nunca demasiado válida inválida
incorrect correct faux mauvais faible fort sûr sécurisé long court vieux ancien nouveau facile difficile simple compliqué secret différent identique unique obligatoire facultatif expiré oublié perdu important nécessaire ici là toujours jamais trop valide invalide requis
sbagliata giusta debole forte sicura lunga corta errada correta fraca segura onjuist fout sterk zwak veilig неверный правильный слабый надежный сложный простой`)
})
